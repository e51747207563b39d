import { brand } from './core/shared.js';

/** Injects the application's `ChainHealthService`, whichever copy of the package is asked. @publicApi */
export const CHAIN_HEALTH: symbol = brand('chain-health');
/** Injects the application's `FallbackService`, whichever copy of the package is asked. @publicApi */
export const FALLBACK_SERVICE: symbol = brand('service');
/** Injects the application's `FallbackEvents`, whichever copy of the package is asked. @publicApi */
export const FALLBACK_EVENTS: symbol = brand('events');

/** The application's runtime, on decorated instances. Nest prints the description when it is missing. @internal */
export const RUNTIME: symbol = brand('FallbackModule.forRoot() is not imported');
/** The host module's ModuleRef, on decorated instances: it tells that Nest built them. @internal */
export const MODULE_REF: symbol = brand('module-ref');
/** The policies of a class, on its prototype. @internal */
export const POLICIES: symbol = brand('policies');
/** The places of marked parameters, on the prototype. @internal */
export const MARKED: symbol = brand('marked-parameters');
/** What tests put in the place of chains' candidates; empty unless a testing module overrides this provider. @internal */
export const CHAIN_REPLACEMENTS: symbol = brand('chain-replacements');
/** The options of `FallbackModule.forFeature()`. @internal */
export const FEATURE_OPTIONS: symbol = brand('feature-options');
