-- wrk: requests of one kind, every write with its own Idempotency-Key.
--   wrk ... -s load.lua URL -- KIND MEMBERS SEED FILE
-- KIND: spread, named (spread, by identity), hot, zipf, transfer, realms, readers, mixed, member or wallets.
-- FILE has a line "realm key" for each realm.
local kind, members, cumulative
local realms, keys = {}, {}
local format, random, floor = string.format, math.random, math.floor

function init(args)
  kind, members = args[1], tonumber(args[2])
  math.randomseed(tonumber(args[3]))
  for line in io.lines(args[4]) do
    local realm, key = line:match('^(%S+) (%S+)$')
    realms[#realms + 1], keys[#keys + 1] = realm, key
  end
  if kind ~= 'zipf' then return end
  cumulative = {}
  local sum = 0
  for rank = 1, members do
    sum = sum + 1 / rank
    cumulative[rank] = sum
  end
end

-- A rank with probability 1 / rank, by bisection.
local function zipf()
  local wanted, low, high = random() * cumulative[members], 1, members
  while low < high do
    local middle = floor((low + high) / 2)
    if cumulative[middle] < wanted then low = middle + 1 else high = middle end
  end
  return low
end

-- 36 characters, like a UUID.
local function fresh()
  return format('%08x-%04x-4%03x-8%03x-%06x%06x', random(0, 2147483647), random(0, 65535), random(0, 4095),
    random(0, 4095), random(0, 16777215), random(0, 16777215))
end

-- The identity that identities.ts gives a member.
local function identity(member)
  return format('shop:%08x-0000-4000-8000-%012x', member * 2654435761 % 268435456, member)
end

local function head(method, path, key)
  return format('%s %s HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer %s\r\n', method, path, key)
end

local function post(body)
  return format('Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s', #body, body)
end

local function wallets()
  local asked = {}
  for index = 1, 100 do asked[index] = format('"0x%040x"', random(members)) end
  return '{"wallets":[' .. table.concat(asked, ',') .. ']}'
end

function request()
  local index = (kind == 'realms' or kind == 'readers') and random(#realms) or 1
  local key, base = keys[index], '/api/v4/realms/' .. realms[index] .. '/members/'
  local member = kind == 'hot' and 1 or kind == 'zipf' and zipf() or random(members)
  if kind == 'wallets' then return head('POST', base .. 'includes', key) .. post(wallets()) end
  if kind == 'member' or kind == 'readers' or kind == 'mixed' and random(5) > 1 then
    return head('GET', base .. member, key) .. '\r\n'
  end
  local again = 'Idempotency-Key: ' .. fresh() .. '\r\n'
  if kind ~= 'transfer' then
    if kind == 'named' then member = identity(member) end
    return head('PATCH', base .. member .. '/tokenBalance', key) .. again .. post('{"tokens":1}')
  end
  local body = format('{"recipientId":"%d","tokens":1}', member % members + 1)
  return head('PATCH', base .. member .. '/transfer', key) .. again .. post(body)
end

-- One line for the caller: completed, refused, broken, microseconds, and latencies.
function done(summary, latency)
  local errors = summary.errors
  io.write(format('WRK %d %d %d %d %d %d %d\n', summary.requests, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout, summary.duration,
    latency:percentile(50), latency:percentile(99), latency:percentile(99.9)))
end
