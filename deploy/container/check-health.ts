/** Asks the server in this container whether it is up: exit code 0 or 1. Readiness is the load balancer's question. */
const timeoutMs = 3_000;

const { PORT = "3000" } = process.env;
// A network may have the one kind of address or the other.
const answers = ["127.0.0.1", "[::1]"].map(async (host) => {
  const signal = AbortSignal.timeout(timeoutMs);
  const { ok } = await fetch(`http://${host}:${PORT}/healthz`, { signal });
  if (!ok) throw new Error("The server is not up.");
});
process.exitCode = await Promise.any(answers).then(
  () => 0,
  () => 1,
);

export {};
