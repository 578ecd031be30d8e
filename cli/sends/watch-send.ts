import { setTimeout as delay } from "node:timers/promises";
import { findSend, openRows, type SendListing } from "#newsletter/sends/find-send.ts";
import type { OpenStore } from "#server/open-store.ts";
import { number } from "../amount.ts";
import type { CommandContext } from "../command-context.ts";
import { countWords, duration, stateWords } from "./send-words.ts";

const terminalIntervalMs = 500;
const logIntervalMs = 5_000;
const barColumns = 24;

/** Nobody begins a send: most likely the site isn't running. */
const unbegunMs = 10_000;

/**
 * Shows a send's progress on standard error until it has ended or is paused: a bar with rate and time left on a terminal,
 * elsewhere a line every five seconds. It only looks: the server sends, and goes on when this ends.
 */
export async function watchSend(
  { io, now }: CommandContext,
  { db }: OpenStore,
  id: number,
): Promise<SendListing> {
  const onTerminal = io.stderr.isTTY === true;
  const intervalMs = onTerminal ? terminalIntervalMs : logIntervalMs;
  const startedAt = now().getTime();
  let first: { at: number; settled: number } | null = null;
  let said = false;
  for (;;) {
    const found = await findSend(db, id);
    if (!found.ok) throw new Error(`Send ${id} is gone.`);
    const { send } = found;
    const isUnbegun = send.begunAt === null && now().getTime() - startedAt > unbegunMs;
    if ((send.state !== "sending" && send.state !== "waiting") || isUnbegun) {
      if (onTerminal && said) io.stderr.write("\r\u001b[K");
      return send;
    }
    if (send.begunAt !== null) {
      const settled = total(send) - openRows(send.counts);
      first ??= { at: now().getTime(), settled };
      const line = progressLine(send, {
        settled,
        mailsPerSecond:
          ((settled - first.settled) * 1000) / Math.max(1, now().getTime() - first.at),
        withBar: onTerminal,
      });
      io.stderr.write(onTerminal ? `\r${line}\u001b[K` : `${line}\n`);
      said = true;
    }
    await delay(first === null || onTerminal ? terminalIntervalMs : intervalMs);
  }
}

function progressLine(
  send: SendListing,
  {
    settled,
    mailsPerSecond,
    withBar,
  }: { settled: number; mailsPerSecond: number; withBar: boolean },
): string {
  const all = total(send);
  const filled = all === 0 ? barColumns : Math.floor((settled / all) * barColumns);
  const bar = `${"█".repeat(filled)}${"░".repeat(barColumns - filled)} `;
  const pace =
    mailsPerSecond > 0
      ? `, ${mailsPerSecond.toFixed(1)} a second, ${duration(all - settled, mailsPerSecond)} left`
      : "";
  return `${withBar ? bar : ""}${number(settled)} of ${number(all)}: ${countWords(send)}${pace}`;
}

function total({ counts }: SendListing): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** How a watched send ended, for who has watched it. */
export function endWords(send: SendListing): string {
  if (send.begunAt === null && send.state === "waiting") {
    return `Send ${send.id} is queued and has not begun: it begins when the site runs (npm start).`;
  }
  return `Send ${send.id} is ${stateWords(send)}: ${countWords(send)}.`;
}
