import type { SiteSettings } from "#contracts/site-settings.ts";

/** Of all cached responses together, in UTF-16 code units. */
const cacheMaxLength = 8_000_000;

type CachedResponse = { tag: string; status: number; headers: [string, string][]; text: string };

type Cache = Map<string, CachedResponse>;

const cacheBySite = new WeakMap<SiteSettings, Cache>();

/** Of a response's headers those that Supabase's client reads. */
const cachedHeaders = ["content-type", "content-range"];

/**
 * Asks a hosted project for what has changed: a response that came with a tag is cached, and asked for with
 * `If-None-Match` from then on (RFC 9110, section 13.1.2). A body of an issue then crosses the network once, and again
 * when it is another one. PostgREST itself gives no tags: its answers pass through.
 */
export async function fetchUnlessUnchanged(
  settings: SiteSettings,
  request: Request,
  send: typeof fetch = fetch,
): Promise<Response> {
  const cache = cacheOf(settings);
  const key = keyOf(request);
  const known = cache.get(key);
  if (known) request.headers.set("If-None-Match", known.tag);
  const response = await sendAgainIfCutOff(request, send);
  if (known && response.status === 304) {
    await response.body?.cancel();
    put(cache, key, known);
    return answerWith(known);
  }
  const tag = response.headers.get("ETag");
  if (!response.ok || tag === null) {
    cache.delete(key);
    return response;
  }
  const headers = cachedHeaders.flatMap((name): [string, string][] => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  const read = { tag, status: response.status, headers, text: await response.text() };
  put(cache, key, read);
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

function cacheOf(settings: SiteSettings): Cache {
  const cache: Cache = cacheBySite.get(settings) ?? new Map();
  cacheBySite.set(settings, cache);
  return cache;
}

/** What the answer depends on, as the client asks. */
function keyOf({ method, url, headers }: Request): string {
  return [method, url, headers.get("Accept"), headers.get("Prefer")].join(" ");
}

/** The last asked for comes last, and the first go when there is no more room. */
function put(cache: Cache, key: string, response: CachedResponse): void {
  cache.delete(key);
  cache.set(key, response);
  let length = 0;
  for (const { text } of cache.values()) length += text.length;
  for (const [oldest, { text }] of cache) {
    if (length <= cacheMaxLength) return;
    cache.delete(oldest);
    length -= text.length;
  }
}

function answerWith({ status, headers, text }: CachedResponse): Response {
  return new Response(text, { status, headers });
}
