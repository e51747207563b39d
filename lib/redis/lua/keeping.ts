/**
 * Lua: what is kept of a circuit, and what is told of it. Whatever is written expires. Numbers are told as texts, see
 * given.ts.
 * @internal
 */
export const KEEPING = `
local CIRCUIT_KEPT = 30 * 86400000
local ID_KEPT = 600000

-- A circuit that is not kept, or of which only the last success is known, has the epoch 0.
local function load()
  local circuit = newCircuit()
  local fields = redis.call('HGETALL', KEYS[1])
  for i = 1, #fields, 2 do
    local name, value = fields[i], fields[i + 1]
    circuit[name] = type(circuit[name]) == 'number' and tonumber(value) or value
  end
  return circuit
end

-- Longer than it is open.
local function keep(circuit)
  local left = math.max(0, circuit.openUntil - now, circuit.probeUntil - now)
  redis.call('PEXPIRE', KEYS[1], lasting(left + CIRCUIT_KEPT))
end

local function save(circuit)
  local fields = {}
  for name, value in pairs(circuit) do
    fields[#fields + 1] = name
    fields[#fields + 1] = type(value) == 'number' and text(value) or value
  end
  redis.call('HSET', KEYS[1], unpack(fields))
  keep(circuit)
end

-- The first period of a key is later than any that an earlier life of it had.
local function beBorn(circuit)
  if circuit.epoch ~= 0 then return end
  circuit.epoch = now
  circuit.born = now
end

-- Takes note of the outcome's id, if it has one.
local function wasTold()
  return given.id ~= nil and not redis.call('SET', KEYS[3], '1', 'NX', 'PX', ID_KEPT)
end

local function readingOf(circuit)
  local state = stateOf(circuit)
  local openUntil = state == 'isolated' and math.huge or circuit.openUntil
  return {
    state = state,
    epoch = text(circuit.epoch),
    openUntil = text(openUntil),
    retryIn = text(state == 'closed' and 0 or math.max(0, openUntil - now)),
    insists = insists(circuit),
    failures = text(circuit.failures),
    kind = circuit.kind,
  }
end

-- Those who may not publish still keep their health here.
local function tell(circuit)
  local change = readingOf(circuit)
  change.key = given.key
  redis.pcall('PUBLISH', given.channel, cjson.encode(change))
end
`;
