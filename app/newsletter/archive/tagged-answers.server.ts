import type { SiteSettings } from "#contracts/site-settings.ts";

/** Answers that are kept to be asked about again, all together, in UTF-16 code units. */
const keptMaxLength = 8_000_000;

type Kept = { tag: string; status: number; headers: [string, string][]; text: string };

const keptBySite = new WeakMap<SiteSettings, Map<string, Kept>>();

/** Of an answer's headers those that Supabase's client reads. */
const keptHeaders = ["content-type", "content-range"];

/**
 * Asks a hosted project for what has changed: an answer that came with a tag is kept, and asked for with `If-None-Match`
 * from then on (RFC 9110, section 13.1.2). A body of an issue then crosses the network once, and again when it is
 * another one. PostgREST itself gives no tags: its answers pass through.
 */
export async function fetchUnlessUnchanged(
  settings: SiteSettings,
  request: Request,
  send: typeof fetch = fetch,
): Promise<Response> {
  const kept = keptOf(settings);
  const key = keyOf(request);
  const known = kept.get(key);
  if (known) request.headers.set("If-None-Match", known.tag);
  const response = await sendAgainIfCutOff(request, send);
  if (known && response.status === 304) {
    await response.body?.cancel();
    keep(kept, key, known);
    return answerWith(known);
  }
  const tag = response.headers.get("ETag");
  if (!response.ok || tag === null) {
    kept.delete(key);
    return response;
  }
  const headers = keptHeaders.flatMap((name): [string, string][] => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  const read = { tag, status: response.status, headers, text: await response.text() };
  keep(kept, key, read);
  return answerWith(read);
}

/** A connection that is closed just as it is used again gives no answer, so what only reads is asked once more. */
async function sendAgainIfCutOff(request: Request, send: typeof fetch): Promise<Response> {
  try {
    return await send(request);
  } catch (error) {
    if (request.signal.aborted || request.body) throw error;
    return await send(request);
  }
}

function keptOf(settings: SiteSettings): Map<string, Kept> {
  const kept = keptBySite.get(settings) ?? new Map<string, Kept>();
  keptBySite.set(settings, kept);
  return kept;
}

/** What the answer depends on, as the client asks. */
function keyOf({ method, url, headers }: Request): string {
  return [method, url, headers.get("Accept"), headers.get("Prefer")].join(" ");
}

/** The last asked for comes last, and the first go when there is no more room. */
function keep(kept: Map<string, Kept>, key: string, answer: Kept): void {
  kept.delete(key);
  kept.set(key, answer);
  let length = 0;
  for (const { text } of kept.values()) length += text.length;
  for (const [oldest, { text }] of kept) {
    if (length <= keptMaxLength) return;
    kept.delete(oldest);
    length -= text.length;
  }
}

function answerWith({ status, headers, text }: Kept): Response {
  return new Response(text, { status, headers });
}
