/** What is said at start-up, in one place: each sentence ends with what to do. */

/** @internal */
export const MESSAGES = {
  notStatic: (decorator: string) =>
    `@${decorator} cannot protect a static method; make it an instance method of a provider`,
  notAMethod: (decorator: string) => `@${decorator} protects methods only; write the accessor or property as a method`,
  moduleMissing: 'FallbackModule is missing in this application; import FallbackModule.forRoot() in its root module',
  twoLadders: 'two ladders on one method; put all candidates into one @FallbackChain([...])',
  twoDegraded: 'two @Degraded on one method; merge their options into one',
  generator: "a generator gives no promise; make it `async *`, or set stream: 'async-iterable'",
  bareClass: (name: string) => `a class cannot be called as it is; write from(${name}, 'method')`,
  notAList: 'the candidates are no list; write @FallbackChain([...]), or @Fallback(...) for a single one',
  notACandidate: (shown: string) =>
    `this is no candidate: ${shown}; give a method's name, from(Provider, 'method'), a function, or { name, run }`,
  noMethod: (owner: string, method: string) =>
    `${owner} has no method '${method}'; correct the name or declare the method`,
  selfCandidate: 'the method is its own candidate; it is tried first anyway, so leave it out of the list',
  cycle: (path: string) =>
    `these chains call each other for ever: ${path}; take one of them out of the other's candidates`,
  generatorOnRoute:
    'this version of Nest answers an async iterable with {}; return an Observable, use @Sse(), or take Nest 12 or later',
  onlyStreams: "only streams have this option; set stream: 'observable' or stream: 'async-iterable', or leave it out",
  isAStream: (chain: string) => `The chain '${chain}' gives a stream; read it with stream()`,
  notAStream: (chain: string) => `The chain '${chain}' gives a promise; call it with run()`,
  givesStream:
    "this method gives a stream but is not declared as one; set stream: 'observable' or stream: 'async-iterable'",
  noRun: (owner: string) =>
    `${owner} has no method 'run'; implement FallbackCandidate or name the method: from(${owner}, 'method')`,
  unknownProvider:
    'from() got undefined: the class is not evaluated yet (a circular import); write from(() => Class, ...)',
  noProvider: (owner: string) =>
    `${owner} is not available here; add it to the module's providers or import the module that exports it`,
  sameChain: (name: string, other: string) =>
    `${other} is called '${name}' too; give one of the two chains another name by name:`,
  madeOutOfSight: (methods: string) =>
    `${methods}: instances that a request-scoped or transient factory makes run their bare methods; let Nest build the class (useClass)`,
  noSuchChain: (name: string, names: string) => `no chain is called '${name}'; there are: ${names || 'none'}`,
  noSuchCandidate: (chain: string, name: string, names: string) =>
    `no candidate of '${chain}' is called '${name}'; there are: ${names}`,
  notChains: 'give a list of chains that createFallbackChain() made',
  notAChain: (shown: string) => `give the name of a chain, or one that createFallbackChain() made; got ${shown}`,
  differentOptions:
    'FallbackModule.forRoot() is imported more than once, and this option is not the same everywhere; give all of them the same options (functions, stores and clocks the very same ones), or import it once',
  noHost: (where: string) =>
    `${where} lives on a provider of which there is no single instance since start-up (request-scoped, transient or loaded later); call the method on the instance you have`,
  severalHosts: (where: string, classes: string) =>
    `${where} is inherited by ${classes}; call the method on the instance you mean`,
  repeatsWrite: (verb: string) =>
    `a further candidate would repeat a write of this ${verb} route; leave no candidate but the method, or state idempotent: true if a repeated write does no harm`,
  repeatedWrite: (verb: string) =>
    `a further candidate may repeat a write of this ${verb} route; state idempotent: true if that does no harm, or idempotent: false to have it refused`,
  endless: (names: string) =>
    `a candidate that hangs is never replaced, for there is neither timeout nor deadline (${names}); give one of the two`,
  overDeadline: (arithmetic: string, deadline: number, reserve: number) =>
    `the worst case is ${arithmetic}, over the deadline of ${deadline} ms${reserve > 0 ? ` less ${reserve} ms in reserve` : ''}: the last candidates may get no time; lower the timeouts or raise the deadline`,
  keyNeeded: (why: string) => `last known good on ${why} needs to know whose value it is; give lastKnownGood.key`,
  notAStore: (shown: string) =>
    `give a store with get, set and delete or del: a Keyv, a cache-manager Cache, or a ValueStore of yours; got ${shown}`,
  notAHealthStore: (shown: string) =>
    `give a store with admit, record and control: a RedisHealthStore of nestjs-fallback/redis, or a HealthStore of yours; got ${shown}`,
  noStore: (token: string) =>
    `the store ${token} is not available here; add it to the module's providers or import the module that exports it`,
  maxAgeMissing: "say how old a last known good may be; give lastKnownGood.maxAge, for example '15m'",
  unmarkable: "this substitute cannot carry `degraded: true`; use mark: 'served', a mark function, or mark: 'receipt'",
  sharedSubstitute:
    'one object for all callers could be changed by any of them; give a function that makes it: () => ...',
  unsentSubstitute:
    'Nest leaves the response to a handler that takes @Res() or @Next(), so a substitute would never be sent; write @Res({ passthrough: true }) and return the answer',
  ownResponse:
    'Nest leaves the response to a handler that takes @Res() or @Next(): what a candidate returns is not sent, each has to write the response itself; write @Res({ passthrough: true }) and return the answer',
  passedOver: 'The handler is passed over: another candidate of its chain answers this call',
  skipAndSubstitute: 'skip and substitute exclude each other; keep one',
} as const;
