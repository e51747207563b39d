/**
 * Lua: lib/core/rate-window.ts once more, in its order and its words. A window whose length has changed begins anew, since
 * the places of its buckets mean nothing any more.
 * @internal
 */
export const RATE_WINDOW = `
local BUCKETS = 20

local function newRateWindow(length)
  local window = { length = length, buckets = {}, epoch = 0, origin = 0, latest = 0, outcomes = 0, failures = 0 }
  for place = 1, 2 * BUCKETS do window.buckets[place] = 0 end
  return window
end

local function loadRateWindow(length)
  local kept = redis.call('GET', KEYS[2])
  local window = kept and cmsgpack.unpack(kept)
  return window and window.length == length and window or newRateWindow(length)
end

local function saveRateWindow(window)
  redis.call('SET', KEYS[2], cmsgpack.pack(window), 'PX', lasting(2 * window.length))
end

-- Empties the next buckets of the ring: the oldest.
local function dropBuckets(window, count)
  local buckets = window.buckets
  for next = 1, math.min(count, BUCKETS) do
    local place = 2 * ((window.latest + next) % BUCKETS) + 1
    window.outcomes = window.outcomes - buckets[place]
    window.failures = window.failures - buckets[place + 1]
    buckets[place], buckets[place + 1] = 0, 0
  end
end

local function slide(window)
  local bucket = math.floor((now - window.origin) * BUCKETS / window.length)
  if bucket > window.latest then
    dropBuckets(window, bucket - window.latest)
    window.latest = bucket
  end
  if window.outcomes > 0 then return end
  window.origin = now
  window.latest = 0
end

local function note(window, epoch, isFailure)
  if epoch ~= window.epoch then
    dropBuckets(window, BUCKETS)
    window.epoch = epoch
  end
  slide(window)
  local place = 2 * (window.latest % BUCKETS) + 1
  window.buckets[place] = window.buckets[place] + 1
  window.outcomes = window.outcomes + 1
  if isFailure then
    window.buckets[place + 1] = window.buckets[place + 1] + 1
    window.failures = window.failures + 1
  end
  saveRateWindow(window)
end

local function failsTooOften(window, rate)
  return window.outcomes >= rate.volume and window.failures / window.outcomes >= rate.share
end
`;
