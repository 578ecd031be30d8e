/** Whose mail goes first where more waits than is sent: the smaller one's. */
export type Priority = 0 | 1 | 2;

export const priorities: readonly Priority[] = [0, 1, 2];

const fewPerSender = 5;

/**
 * The priority of a sender's nth submission within the hour: everybody's first before anybody's second, so that a flood
 * delays itself and not those who write once.
 */
export function priorityOf(nth: number): Priority {
  if (nth <= 1) return 0;
  return nth <= fewPerSender ? 1 : 2;
}
