import { setTimeout as delay } from "node:timers/promises";
import type { Audit } from "./audit.ts";
import { withScene } from "./scene.ts";
import { startBadWeather } from "./weather.ts";

/** A life ends after so many answers at the most, and some way into the work on the next. */
const mostAnswersALife = 8;
const longestLastBreathMs = 60;

/**
 * Kills the server (SIGKILL) at random instants under a stream of messages and sign-ups, while the mail server and the
 * webhook fail at random; then lets it live until everything is delivered.
 */
export async function killServer(kills: number): Promise<Audit> {
  return await withScene({}, async (scene) => {
    const weather = startBadWeather(scene);
    try {
      for (let kill = 0; kill < kills; kill += 1) {
        await scene.answered(Math.floor(Math.random() * (mostAnswersALife + 1)));
        await delay(Math.random() * longestLastBreathMs);
        await scene.server.kill();
        await scene.server.start();
      }
    } finally {
      weather.clear();
    }
    return await scene.settled();
  });
}
