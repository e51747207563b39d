/** The HTTP applications of the table. */
import { Controller, Get, ImATeapotException, Query, Req } from '@nestjs/common';
import type { ExecutionContext, INestApplication, ModuleMetadata } from '@nestjs/common';
import { ChainHealthService } from '../../../../lib/index.js';
import { listen } from '../../../support/apps.js';
import type { Platform } from '../../../support/apps.js';
import { decorate } from '../../../support/decorate.js';
import type { Hosted } from './host.js';
import type { Started } from './surface.js';

/** What a request is on Express, and on Fastify for a middleware. */
export type Request = { heard?: string; raw?: { heard?: string } };
export const requestOf = (context: ExecutionContext): Request => context.switchToHttp().getRequest<Request>();

/** A route that answers with what was said on the way to it. */
export function echo(onHandler: readonly unknown[], onParameter: readonly unknown[] = []) {
  class Echo {
    read(query: string, request: Request) {
      return { heard: request.heard ?? request.raw?.heard ?? query };
    }
  }
  Req()(Echo.prototype, 'read', 1);
  Query('q', ...(onParameter as []))(Echo.prototype, 'read', 0);
  decorate([...onHandler, Get()], Echo.prototype, 'read');
  Controller()(Echo);
  return Echo;
}

/** A route that only throws. */
export function thrower(onHandler: readonly unknown[]) {
  class Thrower {
    read(): never {
      throw new ImATeapotException();
    }
  }
  decorate([...onHandler, Get()], Thrower.prototype, 'read');
  Controller()(Thrower);
  return Thrower;
}

/** One place of an HTTP application where the method lives. */
export interface HttpSurface {
  /** how many callers; default 1 */
  readonly requests?: number;
  readonly parts: (hosted: Hosted) => ModuleMetadata;
  readonly prepare?: (app: INestApplication, hosted: Hosted) => void;
}

/** Starts it; every caller sends a request and hears what was said. */
export async function start(
  platform: Platform,
  { parts, prepare, requests = 1 }: HttpSurface,
  hosted: Hosted,
): Promise<Started> {
  const { Host, Mirror } = hosted;
  const { providers = [], ...rest } = parts(hosted);
  const all = { ...rest, providers: [...providers, Mirror] };
  const { app, url } = await listen(platform, all, (created) => prepare?.(created, hosted));
  const call = async (): Promise<unknown> => {
    const response = await fetch(`${url}/?q=nothing`);
    if (response.status !== 200) throw new Error(`${Host.name} gave ${response.status}: ${await response.text()}`);
    return ((await response.json()) as { heard: unknown }).heard;
  };
  return { health: app.get(ChainHealthService), calls: Array.from({ length: requests }, () => call) };
}
