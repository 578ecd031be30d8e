/** By how much the clocks of servers on one database may differ, in milliseconds. */
export const clockToleranceMs = 60_000;
