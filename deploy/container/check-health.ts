/** Asks the server in this container whether it is up: exit code 0 or 1. Readiness is the load balancer's question. */
const timeoutMs = 3_000;

const { PORT = "3000" } = process.env;
const isUp = await fetch(`http://127.0.0.1:${PORT}/healthz`, {
  signal: AbortSignal.timeout(timeoutMs),
}).then(
  ({ ok }) => ok,
  () => false,
);
process.exitCode = isUp ? 0 : 1;

export {};
