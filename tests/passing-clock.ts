/**
 * Loaded into a site's server before its own modules: time passes there at once when the test says so, by the wall clock
 * and by the monotonic one alike. What waits on a timer goes on waiting. TEST_CLOCK_AHEAD_MS has passed before it starts.
 */
const MachineDate = Date;
const sinceStart = performance.now.bind(performance);
let passedMs = Number(process.env.TEST_CLOCK_AHEAD_MS ?? 0);
const now = () => MachineDate.now() + passedMs;

performance.now = () => sinceStart() + passedMs;
globalThis.Date = new Proxy(MachineDate, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget) as Date,
  get: (target, name, receiver) => (name === "now" ? now : Reflect.get(target, name, receiver)),
});

process.on("message", ({ passMs }: { passMs: number }) => {
  passedMs += passMs;
  process.send?.({ passedMs });
});
// The server ends when it is done, whether or not its test still listens.
process.channel?.unref();

export {};
