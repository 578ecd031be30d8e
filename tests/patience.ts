/**
 * How long a test waits for what comes by another process, connection or clock: well over what a busy machine needs, and
 * under a test's own time-out. What hasn't come by then isn't coming.
 */
export const patienceMs = 60_000;
