-- Contact messages for wrk, each with words of its own.
local count = 0
local headers = { ["content-type"] = "application/json" }
local template = '{"firstName":"Ada","lastName":"Roof","email":"ada-%d@example.com","company":"Example Roofing",'
  .. '"phone":"416 555 0142","subject":"Quotes","message":"We would like our quotes answered sooner. This is message %d."}'

request = function()
  count = count + 1
  return wrk.format("POST", "/functions/v1/send-contact-email", headers, string.format(template, count, count))
end
