import type { Answer } from "./read-answer.ts";
import type { WireRequest } from "./wire-request.ts";

/** Stands in hostile text. An answer that gives it back in HTML as it came lets a visitor write markup into a page. */
export const markupMarker = `<zq"'>`;
const unescapedMarker = /<zq|zq"/;

/** What no answer shows: frames of a stack, the machine's folders, the database's own words. */
const internals =
  /\n\s+at \S|node:internal|node_modules|file:\/\/\/|\/server\/[\w-]+\.ts|SQLITE_|SqliteError|ERR_[A-Z]{3,}/;

const securityHeaders = ["x-content-type-options", "referrer-policy"];

/** Throws, saying what is wrong, where an answer breaks a rule that holds for every request whatsoever. */
export function checkAnswer(request: WireRequest, answer: Answer): void {
  const { status, headers, body } = answer;
  const fail = (why: string) => {
    throw new Error(`${status} ${why}\n${body.toString("utf8").slice(0, 600)}`);
  };
  if (status >= 500) fail("is the server's own failure.");
  if (status < 200) fail("is no final answer to this.");
  if (headers.has("set-cookie")) fail("sets a cookie.");
  if (isParserRefusal(answer)) return;

  const text = decoded(answer);
  if (status !== 304) {
    const missing = securityHeaders.filter((name) => headers.get(name)?.length !== 1);
    if (missing.length > 0) fail(`has not exactly one ${missing.join(" and ")}.`);
  }
  if (status === 413 && !answer.closes) fail("leaves a connection open that is about to be cut.");
  if (body.length > 0 && !headers.has("content-type")) fail("says no content type.");
  if (text === null) return;
  if (internals.test(text)) fail(`shows internals: ${internals.exec(text)?.[0]}`);
  const type = headers.get("content-type")?.[0] ?? "";
  if (type.startsWith("text/html")) checkPage(text, headers, fail);
  if (isBackendPath(request.target) && request.method !== "OPTIONS") {
    checkJson({ request, status, type, text, fail });
  }
}

/** Dots in a path are resolved before anything is looked up by it. */
function isBackendPath(target: string): boolean {
  return /^\/(rest|functions)\//.test(URL.parse(`http://localhost${target}`)?.pathname ?? "");
}

/** The HTTP parser refuses what it can't read with a status line, before any of our code sees it. */
function isParserRefusal({ status, closes, body }: Answer): boolean {
  return [400, 408, 413, 417, 431].includes(status) && closes && body.length === 0;
}

/** The body as text; null where it is compressed, or is no text. */
function decoded({ headers, body }: Answer): string | null {
  const type = headers.get("content-type")?.[0] ?? "";
  if (body.length === 0 || headers.has("content-encoding")) return null;
  return /^text\/|json|xml|javascript|manifest/.test(type) ? body.toString("utf8") : null;
}

function checkPage(text: string, headers: Answer["headers"], fail: (why: string) => void): void {
  const marked = unescapedMarker.exec(text);
  if (marked)
    fail(`gives back markup: ${text.slice(Math.max(0, marked.index - 100), marked.index + 50)}`);
  if (!headers.get("content-security-policy")?.[0]?.includes("script-src")) fail("has no policy.");
  if (!/<\/html>\s*$/.test(text)) fail("is a page that breaks off.");
}

type JsonAnswer = {
  request: WireRequest;
  status: number;
  type: string;
  text: string;
  fail: (why: string) => void;
};

/** The shapes that the wire's clients read: rows or a row, PostgREST's error, a function's answer or refusal. */
function checkJson({ request, status, type, text, fail }: JsonAnswer): void {
  // Of what never became a request, such as one for a host that is no name, nobody knows what it was for.
  if (status === 400 && text === "That address can't be read.\n") return;
  if (!/^application\/(vnd\.pgrst\.object\+)?json/.test(type)) fail(`is ${type} and not JSON.`);
  const value = JSON.parse(text) as unknown;
  if (status < 300) {
    if (typeof value !== "object" || value === null) fail("is neither rows nor an object.");
    return;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) fail("is no object.");
  const { message, error } = value as { message?: unknown; error?: unknown };
  const words = request.target.startsWith("/functions/") ? (error ?? message) : message;
  if (typeof words !== "string" || words === "") fail("says nothing about the reason.");
}
