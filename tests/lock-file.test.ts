import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("everything that npm may fetch is pinned with its hash, for other machines too", () => {
  type Locked = { integrity?: string; inBundle?: boolean };
  const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const unpinned = Object.entries<Locked>(lock.packages)
    .filter(([place, { integrity, inBundle }]) => place && !integrity && !inBundle)
    .map(([place]) => place);
  expect(unpinned).toEqual([]);
});
