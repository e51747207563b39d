/**
 * Lua: lib/core/circuit.ts once more, in its order and its words, for a circuit that several processes share. What differs:
 * an outcome of the epoch 0 is of an unknown period, and counts while the circuit is closed.
 * @internal
 */
export const CIRCUIT = `
local REFUSED = -1
local DENIAL_GRACE = 60000

local function newCircuit()
  return {
    epoch = 0,
    failures = 0,
    openings = 0,
    openUntil = 0,
    openedBy = 'failures',
    probeUntil = 0,
    lastSuccessAt = -math.huge,
    -- what circuit.ts does not have: the same, never forgotten, and of what kind the outcome was that opened it
    lastServedAt = 0,
    kind = '',
    -- the first epoch of this life of the key
    born = 0,
  }
end

local function isIsolated(circuit)
  return circuit.openUntil ~= 0 and circuit.openedBy == 'hand'
end

local function insists(circuit)
  return circuit.openedBy == 'advice' or circuit.openedBy == 'denial'
end

local function stateOf(circuit)
  if circuit.openUntil == 0 then return 'closed' end
  if isIsolated(circuit) then return 'isolated' end
  return now < circuit.openUntil and 'open' or 'half-open'
end

local function mayProbe(circuit)
  return now >= circuit.openUntil and now >= circuit.probeUntil and not isIsolated(circuit)
end

local function permit(circuit, lease)
  if circuit.openUntil == 0 then return circuit.epoch end
  if not mayProbe(circuit) then return REFUSED end
  circuit.probeUntil = now + lease
  circuit.epoch = circuit.epoch + 1
  return circuit.epoch
end

local function open(circuit, untilThen, by, kind)
  circuit.epoch = circuit.epoch + 1
  circuit.openings = circuit.openings + 1
  circuit.openUntil = untilThen
  circuit.openedBy = by
  circuit.probeUntil = 0
  circuit.kind = kind
end

local function close(circuit)
  circuit.failures = 0
  if circuit.openUntil == 0 then return end
  circuit.epoch = circuit.epoch + 1
  circuit.openings = 0
  circuit.openUntil = 0
  circuit.openedBy = 'failures'
  circuit.probeUntil = 0
  circuit.kind = ''
end

-- Whether this failure opens the circuit, for how long, and whether somebody else said so.
local function openingFor(circuit, breaker, outcome, isDue)
  if outcome.kind == 'denied' and now - circuit.lastSuccessAt > DENIAL_GRACE then
    return breaker.maxCooldown, 'denial'
  end
  if outcome.openFor then
    local isTaken = outcome.openFor > 0 and (isDue or outcome.kind == 'rate-limited')
    if isTaken then return outcome.openFor, 'advice' end
    return nil
  end
  if not isDue then return nil end
  local cooldown = math.min(breaker.cooldown * breaker.factor ^ circuit.openings, breaker.maxCooldown)
  if cooldown > 0 then return cooldown, 'failures' end
  return nil
end

local function fail(circuit, breaker, outcome)
  local rate = breaker.rate
  circuit.failures = circuit.failures + 1
  if rate then note(rate.outcomes, circuit.epoch, true) end
  local isDue = circuit.probeUntil ~= 0 or circuit.failures >= breaker.threshold
    or (rate and failsTooOften(rate.outcomes, rate))
  local cooldown, by = openingFor(circuit, breaker, outcome, isDue)
  if cooldown then return open(circuit, now + cooldown, by, outcome.kind) end
  circuit.probeUntil = 0
end

-- An outcome of another period, or of a try of an open circuit: only its advice counts.
local function takeAdvice(circuit, outcome)
  local isOpen = circuit.openUntil ~= 0
  local openFor = outcome.openFor or 0
  local isTaken = outcome.health == 'failure' and openFor > 0 and (isOpen or outcome.kind == 'rate-limited')
  local untilThen = now + openFor
  if not isTaken or untilThen <= circuit.openUntil then return end
  if isIsolated(circuit) then
    circuit.openUntil = untilThen -- kept for the time after
    return
  end
  if not isOpen then circuit.failures = circuit.failures + 1 end
  -- Callers who are told at once to come back later are one opening, however many they are.
  if circuit.openUntil > now then circuit.openings = circuit.openings - 1 end
  open(circuit, untilThen, 'advice', outcome.kind)
end

local function record(circuit, breaker, outcome)
  if outcome.health == 'success' then
    circuit.lastSuccessAt = now
    circuit.lastServedAt = now
  end
  local isOpen = circuit.openUntil ~= 0
  local isProbe = circuit.probeUntil ~= 0
  -- What is of an earlier life of the key is of a period that nobody knows any more.
  local isUnknown = outcome.epoch >= 0 and outcome.epoch < circuit.born
  local isCurrent = outcome.epoch == circuit.epoch or (isUnknown and not isOpen)
  if not isCurrent or (isOpen and not isProbe and outcome.health == 'failure') then
    return takeAdvice(circuit, outcome)
  end
  if outcome.health == 'failure' then return fail(circuit, breaker, outcome) end
  if outcome.health == 'success' then
    if breaker.rate then note(breaker.rate.outcomes, circuit.epoch, false) end
    return close(circuit)
  end
  if isProbe and outcome.kind == 'terminal' then return close(circuit) end
  circuit.probeUntil = 0
end
`;
