/**
 * Lua: lib/core/isolation.ts once more, and the reset of lib/core/circuit.ts. Each says whether anything changed.
 * @internal
 */
export const ISOLATION = `
local function set(circuit, values)
  for name, value in pairs(values) do circuit[name] = value end
end

-- A new period, of which only the last success is known.
local function begin(circuit, openUntil, openedBy)
  local new = newCircuit()
  new.epoch = circuit.epoch + 1
  new.born = circuit.born
  new.lastSuccessAt = circuit.lastSuccessAt
  new.lastServedAt = circuit.lastServedAt
  new.openUntil = openUntil
  new.openedBy = openedBy
  set(circuit, new)
end

local function isolate(circuit)
  if isIsolated(circuit) then return false end
  local isAdvised = circuit.openedBy == 'advice' and circuit.openUntil > now
  -- Until then nothing was asked for; yet not 0, which is closed.
  begin(circuit, isAdvised and circuit.openUntil or -math.huge, 'hand')
  return true
end

local function restore(circuit)
  if not isIsolated(circuit) then return false end
  if circuit.openUntil <= now then
    begin(circuit, 0, 'failures')
  else
    begin(circuit, circuit.openUntil, 'advice')
    circuit.failures = 1
    circuit.openings = 1
  end
  return true
end

local function reset(circuit)
  begin(circuit, 0, 'failures')
  circuit.lastSuccessAt = -math.huge
  return true
end
`;
