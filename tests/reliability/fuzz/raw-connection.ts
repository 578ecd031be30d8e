import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Answer, readAnswer } from "./read-answer.ts";
import { type WireRequest, wirePieces } from "./wire-request.ts";

/** An answer that takes longer than this hasn't come. */
const answerTimeoutMs = 15_000;

/** What came of bytes that were sent: an answer, or the end of the connection before a whole one. */
type Outcome = { kind: "answer"; answer: Answer } | { kind: "closed"; received: Buffer };

/** A way to the server that sends whatever it is given and keeps the connection while the server does. */
export class RawConnection {
  readonly #port: number;
  #socket: Socket | null = null;
  #received: Buffer = Buffer.alloc(0);
  #closed = false;
  #wake: () => void = () => {};

  constructor(port: number) {
    this.#port = port;
  }

  /** Sends a request and reads its answer. Rejects where the answer is no HTTP or doesn't come. */
  async ask(request: WireRequest): Promise<Outcome> {
    const wasOpen = this.#isOpen();
    const outcome = await this.#askOnce(request);
    // A kept connection may end in the very moment of the request; a client opens another then.
    const ended = outcome.kind === "closed" && outcome.received.length === 0 && wasOpen;
    return ended ? await this.#askOnce(request) : outcome;
  }

  async #askOnce(request: WireRequest): Promise<Outcome> {
    const socket = await this.#open();
    for (const [index, piece] of wirePieces(request).entries()) {
      if (index > 1) await nextTurn();
      if (socket.destroyed) break;
      socket.write(piece);
    }
    const outcome = await this.answer(request.method);
    if (outcome.kind === "closed" || outcome.answer.closes) this.close();
    return outcome;
  }

  /** Sends bytes as they are, on a new connection; `end` half-closes it behind them. */
  async send(bytes: Buffer, { end }: { end: boolean }): Promise<void> {
    this.close();
    const socket = await this.#open();
    if (end) socket.end(bytes);
    else socket.write(bytes);
  }

  /** Reads the next answer of the connection. */
  async answer(method: string): Promise<Outcome> {
    const timeout = AbortSignal.timeout(answerTimeoutMs);
    for (;;) {
      const reading = readAnswer(this.#received, method);
      if (reading.state === "broken") throw new Error(reading.why);
      if (reading.state === "complete") {
        const { answer, rest } = reading;
        // Without a length the answer is whole when the connection ends.
        if (
          this.#closed ||
          answer.headers.has("content-length") ||
          rest.length > 0 ||
          !answer.closes
        ) {
          this.#received = rest;
          return { kind: "answer", answer };
        }
      }
      if (this.#closed) return { kind: "closed", received: this.#received };
      if (timeout.aborted) throw new Error("No answer came, and the connection stays open.");
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      timeout.addEventListener("abort", () => resolve(), { once: true });
      await promise;
    }
  }

  /** Bytes beyond the answers that were read; none where the server keeps to one answer a request. */
  get unread(): Buffer {
    return this.#received;
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = null;
  }

  #isOpen(): boolean {
    return this.#socket !== null && !this.#closed;
  }

  async #open(): Promise<Socket> {
    if (this.#socket && !this.#closed) return this.#socket;
    this.close();
    const socket = connect({
      port: this.#port,
      host: "127.0.0.1",
      allowHalfOpen: true,
      noDelay: true,
    });
    this.#socket = socket;
    this.#received = Buffer.alloc(0);
    this.#closed = false;
    const closed = () => {
      if (this.#socket !== socket) return;
      this.#closed = true;
      this.#wake();
    };
    socket.on("data", (chunk: Buffer) => {
      if (this.#socket !== socket) return;
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
    socket.on("end", closed).on("close", closed).on("error", closed);
    await once(socket, "connect");
    return socket;
  }
}
