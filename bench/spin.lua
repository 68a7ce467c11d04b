-- wrk script: spins of customers who are all new, through the server function (BENCH_TARGET=function)
-- or through rest/v1/rpc (BENCH_TARGET=rpc). The address is that of a trusted proxy's client.
-- BENCH_PAUSE_MS: how long a connection rests between two spins, on average; none: as fast as it can.
local target = os.getenv("BENCH_TARGET")
local campaigns = tonumber(os.getenv("BENCH_CAMPAIGNS"))
local seed = tonumber(os.getenv("BENCH_SEED"))
local pause = tonumber(os.getenv("BENCH_PAUSE_MS") or "0")
local threads = 0

function setup(thread)
  threads = threads + 1
  thread:set("id", threads)
end

local function hex(length)
  local digits = {}
  for i = 1, length do digits[i] = string.format("%x", math.random(0, 15)) end
  return table.concat(digits)
end

local function uuid()
  return hex(8) .. "-" .. hex(4) .. "-4" .. hex(3) .. "-8" .. hex(3) .. "-" .. hex(12)
end

function init()
  math.randomseed(seed * 1000 + id)
end

if pause > 0 then
  function delay() return math.random(0, math.floor(2 * pause)) end
end

function request()
  local campaign = string.format("00000003-0000-4000-8000-%012d", math.random(0, campaigns - 1))
  local email = "client" .. hex(12) .. "@example.com"
  local headers = {
    ["content-type"] = "application/json",
    ["x-forwarded-for"] = "198.18." .. math.random(0, 255) .. "." .. math.random(0, 255),
  }
  if target == "rpc" then
    headers["apikey"] = os.getenv("BENCH_SECRET_KEY")
    return wrk.format("POST", "/rest/v1/rpc/spin_wheel", headers, string.format(
      '{"p_campaign_id":"%s","p_review_id":null,"p_play_id":"%s","p_name":"Camille Martin","p_email":"%s","p_phone":null,"p_device_hash":"%s","p_address_hash":"%s"}',
      campaign, uuid(), email, hex(64), hex(64)))
  end
  return wrk.format("POST", "/functions/v1/spin_wheel", headers, string.format(
    '{"campaign_id":"%s","play_id":"%s","contact":{"name":"Camille Martin","email":"%s"},"device_fp":"%s"}',
    campaign, uuid(), email, hex(64)))
end

function done(summary, latency)
  io.write(string.format('RESULT {"requests":%d,"microseconds":%d,"p50":%.3f,"p99":%.3f,"max":%.3f,"bad":%d}\n',
    summary.requests, summary.duration, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    latency.max / 1000, summary.errors.status + summary.errors.timeout + summary.errors.connect + summary.errors.read + summary.errors.write))
end
