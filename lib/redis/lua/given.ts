/**
 * Lua: what a script is given. KEYS are the circuit, its window of outcomes and the id of the outcome, all in one hash
 * slot; ARGV are names and values in turn. Times are ms by the server's clock. Numbers are written with all their digits:
 * Lua by itself writes 14, and cjson cannot write infinity.
 * @internal
 */
export const GIVEN = `
local given = {}
for i = 1, #ARGV, 2 do given[ARGV[i]] = ARGV[i + 1] end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function text(number)
  return string.format('%.17g', number)
end

local LONGEST_KEPT = 3650 * 86400000

-- How long something is kept, as Redis wants it.
local function lasting(ms)
  return string.format('%.0f', math.max(1, math.min(ms, LONGEST_KEPT)))
end
`;
