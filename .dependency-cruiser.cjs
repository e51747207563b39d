// The directions of docs/architecture.md. Type-only imports count like any other.
const adapterPeers = {
  redis: ['ioredis', 'redis', 'keyv', '@keyv/redis'],
  terminus: ['@nestjs/terminus'],
  opentelemetry: ['@opentelemetry/api'],
  prometheus: ['prom-client'],
  swagger: ['@nestjs/swagger'],
  dashboard: [],
  testing: ['@nestjs/testing'],
};
/** Peers every Nest application has. */
const nest = ['@nestjs/common', '@nestjs/core', 'rxjs', 'reflect-metadata'];

const adapters = `^lib/(${Object.keys(adapterPeers).join('|')})/`;
const face = '^lib/index\\.ts$';
const coreFace = '^lib/core/index\\.ts$';
const glue = '^lib/([^/]+\\.ts$|(decorators|health|http|transports)/)';
/** What an adapter may import beyond the public face: the testing kit has a health store that decides as the engine does. */
const inner = { testing: ['^lib/core/'] };
const packages = (...names) => names.map((name) => `node_modules/(@types/)?${name}/`);

/** Files matching `from` may import what matches one of `allowed`, and nothing else. */
const only = (name, comment, from, allowed) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { pathNot: allowed },
});

const nodeBuiltins =
  '^(node:)?(assert|async_hooks|buffer|crypto|diagnostics_channel|events|http|perf_hooks|timers|url|util)(/|$)';

module.exports = {
  forbidden: [
    only('core-is-pure', 'core imports only core: no package, no Node built-in, no other room.', '^lib/core/', [
      '^lib/core/',
    ]),
    only('streaming', 'streaming imports core and rxjs.', '^lib/streaming/', [
      '^lib/(core|streaming)/',
      ...packages('rxjs'),
    ]),
    only('substitutes', 'substitutes imports core and stores.', '^lib/substitutes/', [
      '^lib/(core|substitutes|stores)/',
    ]),
    only('stores', 'stores imports core, lru-cache and node:crypto.', '^lib/stores/', [
      '^lib/(core|stores)/',
      '^(node:)?crypto$',
      ...packages('lru-cache'),
    ]),
    only('glue', 'Nest glue imports the inner rooms, itself, Nest and structured-headers.', glue, [
      '^lib/(core|streaming|substitutes|stores)/',
      glue,
      nodeBuiltins,
      ...packages(...nest, 'structured-headers'),
    ]),
    ...Object.entries(adapterPeers).map(([adapter, peers]) =>
      only(`adapter-${adapter}`, 'An adapter imports the public face and its one optional peer.', `^lib/${adapter}/`, [
        `^lib/${adapter}/`,
        face,
        coreFace,
        nodeBuiltins,
        ...packages(...nest, ...peers),
        ...(inner[adapter] ?? []),
      ]),
    ),
    {
      name: 'no-room-without-rules',
      comment: 'A new folder in lib needs a direction here and in docs/architecture.md first.',
      severity: 'error',
      from: {},
      to: { path: '^lib/', pathNot: [glue, adapters, '^lib/(core|streaming|substitutes|stores)/'] },
    },
    {
      name: 'nobody-imports-adapters',
      comment: 'Adapters are entry points of their own; nothing inside depends on them.',
      severity: 'error',
      from: { path: '^lib/', pathNot: adapters },
      to: { path: adapters },
    },
    {
      name: 'no-cycles',
      comment: 'No cycles, type-only imports included: move the shared type to the inner file.',
      severity: 'error',
      from: { path: '^(lib|test|sample)/' },
      to: { circular: true },
    },
    {
      name: 'no-deep-nest-imports',
      comment: 'Only the public face of a @nestjs package is stable between majors.',
      severity: 'error',
      from: {},
      to: { path: '(^|/)@nestjs/[^/]+/', pathNot: '/@nestjs/[^/]+/(dist/)?index\\.(js|d\\.ts)$' },
    },
    {
      name: 'lib-stands-alone',
      comment: 'The library does not import tests or samples.',
      severity: 'error',
      from: { path: '^lib/' },
      to: { path: '^(test|sample)/' },
    },
    {
      name: 'sample-uses-entry-points',
      comment: 'Samples import the package as its users do.',
      severity: 'error',
      from: { path: '^sample/' },
      to: { path: '^lib/', pathNot: [face, '^lib/[^/]+/index\\.ts$'] },
    },
    {
      name: 'resolvable',
      comment: 'An import that does not resolve hides from every rule above.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
