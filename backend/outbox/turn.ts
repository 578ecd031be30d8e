/** Whose mail goes first where more waits than is sent: the smaller one's. */
export type Turn = 0 | 1 | 2;

export const turns: readonly Turn[] = [0, 1, 2];

const fewPerSender = 5;

/**
 * The turn of a sender's nth submission within the hour: everybody's first before anybody's second, so that a flood
 * delays itself and not those who write once.
 */
export function turnOf(nth: number): Turn {
  if (nth <= 1) return 0;
  return nth <= fewPerSender ? 1 : 2;
}
