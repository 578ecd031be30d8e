import { describe, expect, test } from "vitest";
import { createClientAddressReader } from "./client-address.ts";

const behindProxies = createClientAddressReader(["10.0.0.0/8", "fd00::/8", "192.0.2.7"]);

describe("the visitor's address", () => {
  test("is the connection's, whatever the header says, where no proxy is trusted", () => {
    const read = createClientAddressReader([]);
    expect(read({ socketAddress: "203.0.113.9", forwardedFor: "198.51.100.1" })).toBe(
      "203.0.113.9",
    );
  });

  test.each([
    ["10.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["::ffff:10.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["10.0.0.1", "1.1.1.1, 198.51.100.1, 10.2.3.4", "198.51.100.1"],
    ["10.0.0.1", "1.1.1.1, 198.51.100.1, 192.0.2.7", "198.51.100.1"],
    ["fd00::1", "2001:db8::5", "2001:db8::5"],
    ["10.0.0.1", "198.51.100.1:4711", "198.51.100.1"],
    ["10.0.0.1", "[2001:db8::5]:4711", "2001:db8::5"],
  ])("from %s with %j is %s", (socketAddress, forwardedFor, client) => {
    expect(behindProxies({ socketAddress, forwardedFor })).toBe(client);
  });

  test.each([null, "", "unknown", "<script>", ",,"])(
    "stays the proxy's where the header holds %j",
    (forwardedFor) => {
      expect(behindProxies({ socketAddress: "10.0.0.1", forwardedFor })).toBe("10.0.0.1");
    },
  );
});
