import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { statusBytes } from "../../memory-group.ts";
import { processorMs } from "../../processor-time.ts";
import { asBytes, type HostileRequest, type HostileShape } from "./hostile-request.ts";

export type RequestCost = {
  shape: string;
  status: string;
  cpuMs: number;
  answerBytes: number;
  /** Growth of the resident memory while it was answered, at its most. */
  grownBytes: number;
};

export type Measured = { port: number; pid: number };

const warmUps = 5;
const repeats = 20;
const memoryRepeats = 9;
/** For what goes on after the answer, such as a compression or a write. */
const settleMs = 60;
const answerTimeoutMs = 20_000;
/** A request whose warm-up is this slow is dear enough to be known by fewer repeats. */
const slowMs = 500;

/**
 * What one request costs the server, alone and after others of its kind: processor time of all its threads, by the
 * kernel's count, and the bytes of the answer and of the memory that it grows by. One after the other, each with a
 * connection of its own.
 */
export async function costOf(
  server: Measured,
  shape: HostileShape,
  from: number,
): Promise<RequestCost> {
  let n = from;
  const ask = () => {
    n += 1;
    return answerTo(server.port, shape.request(n));
  };
  const warmedAt = performance.now();
  let last = await ask();
  const isSlow = performance.now() - warmedAt > slowMs;
  for (let index = 0; index < (isSlow ? 0 : warmUps); index += 1) last = await ask();
  await delay(settleMs);
  const count = isSlow ? 3 : repeats;
  const before = processorMs(server.pid);
  for (let index = 0; index < count; index += 1) last = await ask();
  await delay(settleMs);
  const spent = processorMs(server.pid) - before;

  const grown: number[] = [];
  for (let index = 0; index < (isSlow ? 3 : memoryRepeats); index += 1) {
    forgetPeak(server.pid);
    const resident = statusBytes(server.pid, "VmRSS");
    await ask();
    grown.push(Math.max(0, statusBytes(server.pid, "VmHWM") - resident));
  }
  return {
    shape: shape.name,
    status: last.status,
    cpuMs: spent / count,
    answerBytes: last.bytes,
    grownBytes: grown.toSorted((a, b) => a - b)[Math.floor(grown.length / 2)] ?? 0,
  };
}

/** The kernel begins anew with VmHWM (proc(5), "clear_refs"). */
function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

/** Sends a request as it is and reads until the server has closed; what came back in bytes, and its status. */
export async function answerTo(
  port: number,
  asked: HostileRequest,
): Promise<{ status: string; bytes: number }> {
  const request = asBytes(asked);
  const { promise, resolve } = Promise.withResolvers<{ status: string; bytes: number }>();
  let bytes = 0;
  let status = "none";
  const socket = connect({ port, host: "127.0.0.1" });
  socket.setTimeout(answerTimeoutMs, () => socket.destroy());
  socket.on("error", () => {});
  socket.on("data", (chunk) => {
    if (bytes === 0) status = chunk.toString("latin1", 9, 12);
    bytes += chunk.length;
  });
  socket.once("close", () => resolve({ status, bytes }));
  const head = request.toString("latin1").replace("\r\n", "\r\nconnection: close\r\n");
  socket.write(Buffer.from(head, "latin1"));
  return await promise;
}
