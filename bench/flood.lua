-- wrk script: requests that come to nothing (BENCH_WHAT), from BENCH_ADDRESSES addresses of the network.
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

local function any() return math.random(1, 1000000000) end

local function post(path, body, headers)
  headers["content-type"] = "application/json"
  return wrk.format("POST", path, headers, body)
end

local requests = {
  -- Sign-ins to accounts that do not exist.
  sign_in = function(headers)
    return post("/auth/v1/token?grant_type=password",
      string.format('{"email":"personne%d@example.com","password":"faux mot de passe"}', any()), headers)
  end,
  -- Sessions that do not exist.
  refresh = function(headers)
    return post("/auth/v1/token?grant_type=refresh_token", string.format('{"refresh_token":"inconnu%d"}', any()), headers)
  end,
  -- Ratings of one campaign, each by somebody new.
  review = function(headers)
    return post("/functions/v1/review_record", string.format(
      '{"campaign_id":"00000003-0000-4000-8000-000000000000","visit_id":"00000000-0000-4000-8000-%012d",' ..
      '"end_user":{"first_name":"Camille","last_name":"Martin","email":"client%d@example.com"},"rating":5}', any(), any()),
      headers)
  end,
  -- The data API with the public key alone.
  data = function(headers) return wrk.format("GET", "/rest/v1/campaigns?select=*", headers) end,
  -- Addresses that lead nowhere.
  unknown = function(headers) return wrk.format("GET", "/rien/" .. any(), headers) end,
  -- Bodies that are refused by their announced size.
  large = function(headers) return post("/functions/v1/review_record", string.rep("a", 70000), headers) end,
  -- Pages of campaigns that do not exist.
  campaign = function(headers) return wrk.format("GET", string.format("/c/inconnue-%d/review", any()), headers) end,
}
local make = requests[os.getenv("BENCH_WHAT")]

function request()
  return make({
    ["apikey"] = os.getenv("BENCH_KEY"),
    ["x-forwarded-for"] = "198.51.100." .. math.random(1, addresses),
  })
end

function done(summary, latency)
  io.write(string.format('RESULT {"requests":%d,"microseconds":%d,"p50":%.3f,"p99":%.3f,"max":%.3f,"bad":%d}\n',
    summary.requests, summary.duration, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    latency.max / 1000, summary.errors.timeout + summary.errors.connect + summary.errors.read + summary.errors.write))
end
