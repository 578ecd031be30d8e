import type { IncomingMessage, ServerResponse } from "node:http";
import { refusalPauseMs } from "#api/refusal-pause.ts";
import type { PlainParts } from "../document/plain-page.ts";

export type BusyAnswer = { write(request: IncomingMessage, response: ServerResponse): void };

/** A 503 as bytes, made once and said a moment later, so that saying it to a crowd costs next to nothing. */
export function createBusyAnswer(
  { status, headers: ownHeaders, html }: PlainParts,
  headersOfEveryAnswer: [string, string][],
): BusyAnswer {
  const body = Buffer.from(html);
  const headers = [
    ...headersOfEveryAnswer.flat(),
    ...Object.entries(ownHeaders).flat(),
    ...["content-length", String(body.length)],
  ];
  return {
    write(request, response) {
      // A form's body is not read, so nothing after it on the connection can be answered.
      const isRead = request.method === "GET" || request.method === "HEAD";
      if (!isRead) response.shouldKeepAlive = false;
      const said = setTimeout(say, refusalPauseMs());
      response.once("close", () => clearTimeout(said));
      function say() {
        response.writeHead(status, headers);
        response.end(request.method === "HEAD" ? undefined : body);
      }
    },
  };
}
