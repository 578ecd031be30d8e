-- Sign-ups for wrk: each for an address that nobody has used.
local run = os.time()
local count = 0
local headers = { ["content-type"] = "application/json" }

request = function()
  count = count + 1
  local body = string.format('{"email":"reader-%d-%d@example.com"}', run, count)
  return wrk.format("POST", "/functions/v1/newsletter-signup", headers, body)
end
