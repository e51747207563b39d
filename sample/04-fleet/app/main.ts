import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FallbackEvents } from 'nestjs-fallback';
import { AppModule } from './app.module.js';

// Whoever has started this process is gone, however it went.
process.on('disconnect', () => process.exit());

const app: INestApplication = await NestFactory.create(AppModule, { logger: ['warn', 'error'] });
app.enableShutdownHooks();
app.get(FallbackEvents).events$.subscribe((event) => process.send?.({ event }));
await app.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1');
const { port } = app.getHttpServer().address() as AddressInfo;
process.send?.({ port });
