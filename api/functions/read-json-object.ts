/** Longest body that a function reads, in bytes: the longest contact message with every character as `\uXXXX`, and more. */
export const bodyMaxBytes = 96 * 1024;
/** A sender that has not finished its body by then is sent away. */
const bodyTimeoutMs = 15_000;

type Reading =
  | { ok: true; body: Record<string, unknown>; text: string }
  | { ok: false; status: 400 | 408 | 413 | 415; error: string };

/**
 * Reads a request's JSON object. What arrives is counted, whatever Content-Length says. Of a repeated name the last
 * value stands, as JSON.parse has it.
 */
export async function readJsonObject(
  request: Request,
  { timeoutMs = bodyTimeoutMs }: { timeoutMs?: number } = {},
): Promise<Reading> {
  const mediaType = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (mediaType !== "application/json") {
    return { ok: false, status: 415, error: "The content type has to be application/json." };
  }
  const bytes = await readBytes(request, timeoutMs);
  if (!bytes.ok) return bytes;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes.bytes);
    const body: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
    if (isPlainObject(body)) return { ok: true, body, text };
    return { ok: false, status: 400, error: "The body has to be a JSON object." };
  } catch {
    return { ok: false, status: 400, error: "The body is not valid JSON." };
  }
}

type Bytes = { ok: true; bytes: Uint8Array } | (Reading & { ok: false });

const tooLarge = {
  ok: false,
  status: 413,
  error: `The body is larger than ${bodyMaxBytes / 1024} KB.`,
} as const;
const tooLate = { ok: false, status: 408, error: "The body took too long to arrive." } as const;
const brokenOff = { ok: false, status: 400, error: "The body broke off." } as const;

async function readBytes(request: Request, timeoutMs: number): Promise<Bytes> {
  const declared = request.headers.get("content-length");
  if (Number(declared) > bodyMaxBytes) return tooLarge;
  return declared === null
    ? await readPieces(request, timeoutMs)
    : await readWhole(request, timeoutMs);
}

/**
 * No more arrives than was declared, which Node's parser sees to: so it needs no stream, which costs more than all its
 * bytes.
 */
async function readWhole(request: Request, timeoutMs: number): Promise<Bytes> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, timeoutMs, null);
  try {
    const buffer = await Promise.race([request.arrayBuffer(), late]);
    if (buffer === null) return tooLate;
    return buffer.byteLength > bodyMaxBytes
      ? tooLarge
      : { ok: true, bytes: new Uint8Array(buffer) };
  } catch {
    return brokenOff;
  } finally {
    clearTimeout(timer);
  }
}

async function readPieces(request: Request, timeoutMs: number): Promise<Bytes> {
  if (!request.body) return { ok: true, bytes: new Uint8Array() };
  const reader = request.body.getReader();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    reader.cancel().catch(() => {});
  }, timeoutMs);
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (late) return tooLate;
      if (done) return { ok: true, bytes: Buffer.concat(chunks) };
      length += value.byteLength;
      if (length > bodyMaxBytes) {
        reader.cancel().catch(() => {});
        return tooLarge;
      }
      chunks.push(value);
    }
  } catch {
    return brokenOff;
  } finally {
    clearTimeout(timer);
  }
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
