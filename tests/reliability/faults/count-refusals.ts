import type { Scene } from "../scene.ts";

/** How many writes the server has refused since the scene began. */
export function countRefusals({ crowd }: Scene): number {
  return crowd.answers.get("503 refused") ?? 0;
}
