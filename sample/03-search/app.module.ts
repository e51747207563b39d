import { Module } from '@nestjs/common';
import { FallbackModule } from 'nestjs-fallback';
import { SearchModule } from './search/search.module.js';

@Module({
  imports: [
    // 'always': every response names who answered, in the header Served-By.
    FallbackModule.forRoot({ http: { receipt: 'always' } }),
    SearchModule,
  ],
})
export class AppModule {}
