import { Module } from '@nestjs/common';
import { ModelsModule } from '../models/models.module.js';
import { ChatController } from './chat.controller.js';

@Module({ imports: [ModelsModule], controllers: [ChatController] })
export class ChatModule {}
