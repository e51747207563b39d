/**
 * Calls as the frozen signatures allow them. Checked twice: here against the package, and by names.spec.ts against
 * the frozen names themselves, so that neither can refuse what the other accepts.
 */
import {
  AttemptTimeoutError,
  CHAIN_HEALTH,
  ChainHealthService,
  ClientDisconnectedError,
  Degraded,
  FALLBACK_SERVICE,
  Fallback,
  FallbackChain,
  FallbackConfigurationError,
  FallbackExhaustedError,
  FallbackModule,
  FallbackService,
  RejectedResultError,
  Attempt,
  AttemptSignal,
  acceptDefined,
  acceptOk,
  acceptStatus,
  acceptTruthy,
  classifyFailure,
  deferred,
  from,
  receiptOf,
  served,
} from 'nestjs-fallback';
import type {
  AttemptContext,
  CandidateOptions,
  CandidateRef,
  ChainHealth,
  ChainOptions,
  DegradedOptions,
  FailureKind,
  FallbackCandidate,
  FallbackModuleOptions,
  From,
  Receipt,
  Served,
} from 'nestjs-fallback';

class Provider {
  find(id: string): Promise<string> {
    return Promise.resolve(id);
  }
}
class Whole implements FallbackCandidate<[string], string> {
  run(_ctx: AttemptContext, id: string): string {
    return id;
  }
}
abstract class Port {
  abstract find(id: string): Promise<string>;
}
class Settings {
  createFallbackOptions(): FallbackModuleOptions {
    return {};
  }
}
declare const ref: CandidateRef;
declare const refs: readonly CandidateRef[];
declare const chainOptions: ChainOptions;
declare const candidateOptions: CandidateOptions;
declare const degradedOptions: DegradedOptions;
declare const moduleOptions: FallbackModuleOptions;
declare const health: ChainHealthService;
declare const service: FallbackService;
declare const error: unknown;
const TOKEN = Symbol('token');

export const references: readonly [
  From<Provider, 'find'>,
  From<Provider, 'find'>,
  From<Port, 'find'>,
  From<any, string | symbol>,
  From<any, string | symbol>,
  From<Whole, undefined>,
  From<Whole, undefined>,
  From<any, undefined>,
  From<any, undefined>,
] = [
  from(Provider, 'find'),
  from(() => Provider, 'find', candidateOptions),
  from(Port, 'find', { cost: 0 }),
  from('TOKEN', 'find'),
  from(TOKEN, TOKEN, candidateOptions),
  from(Whole),
  from(() => Whole, candidateOptions),
  from('TOKEN'),
  from(TOKEN, candidateOptions),
];

export const decorators = [
  Fallback('alt'),
  Fallback(TOKEN, chainOptions),
  Fallback(ref, {}),
  Fallback({ method: 'alt', timeout: '2s' }),
  Fallback({ name: 'alt', run: (_ctx: AttemptContext, id: string) => id, cost: 1 }),
  Fallback((id: string) => id),
  Fallback(from(Provider, 'find')),
  FallbackChain([]),
  FallbackChain(refs, chainOptions),
  FallbackChain(['alt', TOKEN, ref, from(Whole), { method: TOKEN }], { primary: candidateOptions }),
  Degraded({}),
  Degraded(degradedOptions),
  Degraded({ substitute: 5 }),
  Degraded<number>({ substitute: 5, mark: 'receipt' }),
  Degraded<readonly string[]>({ substitute: [] }),
  Degraded<any>({ substitute: [] }),
  Degraded({ substitute: () => 5, mark: (value: number, _receipt: Receipt) => value }),
  Degraded({ skip: true, on: ['transient'], enabled: () => true }),
  Degraded({ lastKnownGood: { maxAge: '1m', key: (id: string) => id, refreshAfter: 0, maxBytes: 1 }, mark: 'served' }),
];
export const parameterDecorators: readonly ParameterDecorator[] = [Attempt(), AttemptSignal()];

export const modules = [
  FallbackModule.forRoot(),
  FallbackModule.forRoot(moduleOptions),
  FallbackModule.forRoot({ ...moduleOptions, isGlobal: false }),
  FallbackModule.forRootAsync({ useFactory: () => moduleOptions }),
  FallbackModule.forRootAsync({ isGlobal: true, imports: [], inject: [TOKEN], useFactory: async () => moduleOptions }),
  FallbackModule.forRootAsync({
    useFactory: (settings: Settings) => settings.createFallbackOptions(),
    inject: [Settings],
  }),
  FallbackModule.forRootAsync({ useClass: Settings }),
  FallbackModule.forRootAsync({ useExisting: Settings, imports: [] }),
];

export async function values(): Promise<void> {
  const envelope: Served<string> = served('answer');
  const receipt: Receipt | undefined = receiptOf(error);
  const queued: string = deferred<string>();
  const kept: string = deferred('later');
  const { kind, retryAfter }: { kind: FailureKind; retryAfter?: number } = classifyFailure(error, { now: 0 });
  const accepted: boolean[] = [
    acceptOk({ ok: true }),
    acceptStatus(200, 201)({ status: 200 }),
    acceptTruthy(queued),
    acceptDefined(kept),
  ];
  const tokens: symbol[] = [CHAIN_HEALTH, FALLBACK_SERVICE];
  const all: readonly ChainHealth[] = health.snapshot();
  const one: ChainHealth = health.snapshot('chain');
  const { chain } = health.check('chain');
  const detail: unknown = health.check().chain?.anything;
  health.reset();
  health.reset('chain');
  const { value, receipts }: { value: string; receipts: readonly Receipt[] } = await service.withReceipt(() => 'now');
  const later = await service.withReceipt(async () => value);
  const last: Receipt | undefined = later.receipt ?? service.currentReceipts()[0];
  void [envelope, receipt, kind, retryAfter, accepted, tokens, all, one.status, health.status(), chain?.status, detail];
  void [receipts, last];
}

export function caught(): unknown {
  if (error instanceof FallbackExhaustedError) return [error.code, error.chain, error.retryAfter, error.lastStatus];
  if (error instanceof AttemptTimeoutError) return error.timeout;
  if (error instanceof RejectedResultError) return error.value;
  if (error instanceof FallbackConfigurationError)
    return error.faults.map(({ where, option, message }) => [where, option, message]);
  return error instanceof ClientDisconnectedError && error.code;
}
