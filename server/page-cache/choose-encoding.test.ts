import { expect, test } from "vitest";
import { chooseEncoding } from "./choose-encoding.ts";

test.each([
  [undefined, "identity"],
  ["", "identity"],
  ["gzip, deflate, br, zstd", "br"],
  ["gzip, zstd", "zstd"],
  ["gzip;q=0.5", "gzip"],
  ["br;q=0, gzip", "gzip"],
  ["*", "br"],
  ["*;q=0", "identity"],
  ["identity;q=1, *;q=0", "identity"],
  ["GZIP", "gzip"],
  ["br;q=nonsense", "identity"],
])("answers %j with %s", (header, encoding) => {
  expect(chooseEncoding(header)).toBe(encoding);
});
