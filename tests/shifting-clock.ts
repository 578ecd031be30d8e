/**
 * Puts a wall clock in place of this process's that can be moved, as somebody's hand or a time server moves a machine's.
 * Timers and `performance.now()` go on evenly, as they do there. Gives the function that moves it, counted from the
 * machine's.
 */
export function createShiftingClock(): (byMs: number) => void {
  const MachineDate = Date;
  let shiftMs = 0;
  const now = () => MachineDate.now() + shiftMs;
  globalThis.Date = new Proxy(MachineDate, {
    construct: (target, given, newTarget) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget) as Date,
    get: (target, name, receiver) => (name === "now" ? now : Reflect.get(target, name, receiver)),
  });
  return (byMs) => {
    shiftMs = byMs;
  };
}
