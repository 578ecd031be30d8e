/** Whether a program that measures has come to its end: its time is up, or its standard input has ended. */
export function untilTold(seconds: number): () => boolean {
  const until = performance.now() + seconds * 1_000;
  let isTold = false;
  process.stdin.once("end", () => {
    isTold = true;
  });
  process.stdin.resume();
  return () => isTold || performance.now() >= until;
}
