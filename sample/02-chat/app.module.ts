import { Module } from '@nestjs/common';
import { FallbackModule } from 'nestjs-fallback';
import { ChatModule } from './chat/chat.module.js';

@Module({
  imports: [
    // 'always': every response names who answered, in the header Served-By.
    FallbackModule.forRoot({ http: { receipt: 'always' } }),
    ChatModule,
  ],
})
export class AppModule {}
