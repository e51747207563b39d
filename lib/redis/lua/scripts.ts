/** The three scripts: what a HealthStore is asked for, each atomic for its key. They answer with JSON. */
import { CIRCUIT } from './circuit.js';
import { GIVEN } from './given.js';
import { ISOLATION } from './isolation.js';
import { KEEPING } from './keeping.js';
import { RATE_WINDOW } from './rate-window.js';

const BASE = GIVEN + RATE_WINDOW + CIRCUIT + ISOLATION + KEEPING;

/** Given `lease`. A closed circuit is not written to. @internal */
export const ADMIT = `${BASE}
local circuit = load()
local wasOpen = circuit.openUntil ~= 0
local epoch = permit(circuit, tonumber(given.lease))
local granted = epoch ~= REFUSED
local answer = readingOf(circuit)
answer.granted = granted
answer.probe = granted and wasOpen
answer.lastServedAt = text(circuit.lastServedAt)
if granted then
  answer.retryIn = text(0)
elseif answer.state == 'half-open' then
  answer.retryIn = text(circuit.probeUntil - now)
end
if answer.probe then save(circuit) elseif wasOpen then keep(circuit) end
return cjson.encode(answer)
`;

/** Given an outcome and the options of the breaker. @internal */
export const RECORD = `${BASE}
local circuit = load()
if wasTold() then return cjson.encode(readingOf(circuit)) end

local breaker = {
  threshold = tonumber(given.threshold),
  cooldown = tonumber(given.cooldown),
  factor = tonumber(given.factor),
  maxCooldown = tonumber(given.maxCooldown),
}
if given.mode == 'rate' then
  breaker.rate = {
    volume = tonumber(given.volume),
    share = tonumber(given.share),
    outcomes = loadRateWindow(tonumber(given.window)),
  }
end
local outcome = {
  epoch = tonumber(given.epoch),
  health = given.health,
  kind = given.kind,
  openFor = given.openFor and tonumber(given.openFor),
}

-- In consecutive mode successes alone are no reason to remember a circuit.
if outcome.health == 'failure' or (breaker.rate and outcome.health == 'success') then beBorn(circuit) end
local epochBefore, failuresBefore = circuit.epoch, circuit.failures
record(circuit, breaker, outcome)
if circuit.epoch ~= 0 or outcome.health == 'success' then save(circuit) end
if circuit.epoch ~= epochBefore or (circuit.failures == 0) ~= (failuresBefore == 0) then tell(circuit) end
return cjson.encode(readingOf(circuit))
`;

/** Given an `action`. @internal */
export const CONTROL = `${BASE}
local circuit = load()
beBorn(circuit)
local actions = { isolate = isolate, restore = restore, reset = reset }
if actions[given.action](circuit) then
  save(circuit)
  tell(circuit)
end
return ''
`;
