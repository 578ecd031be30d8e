/** From one moment up to another, without it; ISO 8601 in UTC. */
export type TimeSpan = { from: string; to: string };
