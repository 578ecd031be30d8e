import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Scene, withScene } from "./scene.ts";

const kills = 8;
/** A life ends some way into the work on the answer after those that it gives: none in the first, seven in the last. */
const longestLastBreathMs = 60;
const weatherChangesEveryMs = 60;

test(`${kills} kills under a stream of messages and sign-ups lose nothing that was acknowledged`, {
  timeout: 5 * 60_000,
}, async () => {
  const { acknowledged, notStored, lost, storedTwice, underTwoIds } = await withScene(
    {},
    async (scene) => {
      const clear = startBadWeather(scene);
      try {
        for (let kill = 0; kill < kills; kill += 1) {
          await scene.answered(kill);
          await delay(Math.random() * longestLastBreathMs);
          await scene.server.kill();
          await scene.server.start();
        }
      } finally {
        clear();
      }
      return await scene.settled();
    },
  );
  expect({ notStored, lost, storedTwice, underTwoIds }).toEqual({
    notStored: [],
    lost: [],
    storedTwice: [],
    underTwoIds: [],
  });
  expect(acknowledged).toBeGreaterThan(2 * kills);
});

/** The mail server and the webhook fail at random, in every way they can, until the weather is cleared. */
function startBadWeather({ mail, hook }: Scene): () => void {
  const moods = [
    "accept",
    "accept",
    "accept",
    "defer",
    "reject",
    "drop",
    "silent",
    "busy",
  ] as const;
  const change = setInterval(() => {
    mail.mode = moods[Math.floor(Math.random() * moods.length)] ?? "accept";
  }, weatherChangesEveryMs);
  hook.answer = (response) => {
    const luck = Math.random();
    if (luck < 0.6) response.writeHead(204).end();
    else if (luck < 0.8) response.writeHead(500).end();
    else response.destroy();
  };
  return () => {
    clearInterval(change);
    mail.mode = "accept";
    hook.answer = (response) => response.writeHead(204).end();
  };
}
