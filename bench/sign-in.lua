-- wrk script: sign-ins to accounts that do not exist, from BENCH_ADDRESSES addresses of the network.
-- BENCH_PAUSE_MS: how long a connection rests between two, on average; none: as fast as it can.
local addresses = tonumber(os.getenv("BENCH_ADDRESSES"))
local pause = tonumber(os.getenv("BENCH_PAUSE_MS") or "0")
local threads = 0

function setup(thread)
  threads = threads + 1
  thread:set("id", threads)
end

function init()
  math.randomseed(tonumber(os.getenv("BENCH_SEED")) * 1000 + id)
end

if pause > 0 then
  function delay() return math.random(0, math.floor(2 * pause)) end
end

function request()
  local headers = {
    ["apikey"] = os.getenv("BENCH_KEY"),
    ["content-type"] = "application/json",
    ["x-forwarded-for"] = "198.51.100." .. math.random(1, addresses),
  }
  return wrk.format("POST", "/auth/v1/token?grant_type=password", headers, string.format(
    '{"email":"personne%d@example.com","password":"faux mot de passe"}', math.random(1, 1000000000)))
end

function done(summary, latency)
  io.write(string.format('RESULT {"requests":%d,"microseconds":%d,"p50":%.3f,"p99":%.3f,"max":%.3f,"bad":%d}\n',
    summary.requests, summary.duration, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    latency.max / 1000, summary.errors.timeout + summary.errors.connect + summary.errors.read + summary.errors.write))
end
