import { expect, test } from "vitest";
import { connectionsWithin, listenersWithin } from "./open-files.ts";

test("leaves room among the open files for the database, mail and webhook calls", () => {
  expect(connectionsWithin(4_000, 1_024)).toBe(896);
});

test("takes no more connections than it would anyway, and not fewer than a handful", () => {
  expect(connectionsWithin(10, 1_024)).toBe(10);
  expect(connectionsWithin(4_000, 1_048_576)).toBe(4_000);
  expect(connectionsWithin(4_000, Number.POSITIVE_INFINITY)).toBe(4_000);
  expect(connectionsWithin(4_000, 64)).toBe(16);
});

test("listens by one socket where files are scarce", () => {
  expect(listenersWithin(16, 64)).toBe(1);
  expect(listenersWithin(16, 256)).toBe(16);
  expect(listenersWithin(16, Number.POSITIVE_INFINITY)).toBe(16);
});
