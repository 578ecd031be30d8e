import { expect, test } from "vitest";
import { killServer } from "./kills.ts";

/** `npm run bench -- kills` does it some hundred times. */
const kills = 25;

test(`${kills} kills under a stream of messages and sign-ups lose nothing that was acknowledged`, {
  timeout: 5 * 60_000,
}, async () => {
  const { acknowledged, notStored, lost, storedTwice, underTwoIds } = await killServer(kills);
  expect({ notStored, lost, storedTwice, underTwoIds }).toEqual({
    notStored: [],
    lost: [],
    storedTwice: [],
    underTwoIds: [],
  });
  expect(acknowledged).toBeGreaterThan(2 * kills);
});
