-- Copyright (c) 2026, the ZTera authors.
-- SPDX-License-Identifier: MIT OR Apache-2.0
--
-- The load, for wrk: one thread per JVM. The environment tells the application, the ports and the sizes.

local app = os.getenv("ZTERA_APP")
local users = tonumber(os.getenv("ZTERA_USERS"))
local things = tonumber(os.getenv("ZTERA_THINGS"))
local ports = {}
for port in os.getenv("ZTERA_PORTS"):gmatch("%d+") do
    ports[#ports + 1] = port
end

local threads = 0

function setup(thread)
    threads = threads + 1
    thread.addr = wrk.lookup("127.0.0.1", ports[threads])[1]
    thread:set("seed", threads)
end

function init(arguments)
    math.randomseed(seed)
end

local function below(count)
    return math.random(0, count - 1)
end

local pages = {}

function pages.trading(choice)
    if choice <= 40 then return "/quote?symbol=" .. below(things) end
    if choice <= 60 then return "/portfolio" end
    if choice <= 75 then return "/orders" end
    return (choice <= 90 and "/buy" or "/sell") .. "?symbol=" .. below(things)
end

function pages.booking(choice)
    if choice <= 50 then return "/search?from=" .. below(40) .. "&to=" .. below(40) end
    local customer = "?customer=" .. below(users)
    if choice <= 70 then return "/bookings" .. customer end
    local slot = customer .. "&slot=" .. below(4)
    if choice <= 90 then return "/book" .. slot .. "&flight=" .. below(things) end
    return "/cancel" .. slot
end

function request()
    local headers = {}
    if app == "trading" then
        headers["Cookie"] = "JSESSIONID=user-" .. below(users)
    end
    return wrk.format("GET", pages[app](math.random(1, 100)), headers)
end

function done(summary, latency, requests)
    local errors = summary.errors
    local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
    io.write(string.format('\n{"requests":%d,"failed":%d,"micros":%d,"p99_us":%d}\n',
        summary.requests, failed, summary.duration, latency:percentile(99)))
end
