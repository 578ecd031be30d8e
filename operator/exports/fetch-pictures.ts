import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import type { LookupFunction } from "node:net";
import { RequestFilteringHttpsAgent } from "request-filtering-agent";
import { describeCauses } from "#db/describe-causes.ts";
import { type Picture, pictureMaxBytes, readPicture } from "#newsletter/pictures.ts";

/** For one picture with all its redirects. */
const pictureMaxMs = 20_000;
const redirectsMax = 5;

export type FetchedPicture = { ok: true; picture: Picture } | { ok: false; reason: string };

/** Tests reach their own network by these. */
export type Network = { lookup?: LookupFunction; ca?: string; allowIPAddressList?: string[] };

/**
 * Fetches a picture by https from the open network. An export may name any address, so the agent refuses private ones,
 * whether written out or behind a name, and again after each redirect. Content alone says whether it is a picture. A
 * reason is a half sentence for the operator.
 */
export async function fetchPicture(address: string, network: Network = {}) {
  const agent = new RequestFilteringHttpsAgent(network);
  const signal = AbortSignal.timeout(pictureMaxMs);
  let url = URL.parse(address);
  try {
    for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
      // Old posts say http of what has long been served by https.
      if (url?.protocol === "http:") url.protocol = "https:";
      if (url?.protocol !== "https:") return failed("is no https address");
      const response = await ask(url, { agent, signal });
      const { statusCode: status = 0, headers } = response;
      if (status < 300 || status >= 400 || !headers.location) {
        return await readAnswer(response, status);
      }
      response.destroy();
      url = URL.parse(headers.location, url);
    }
    return failed("leads from one address to the next without end");
  } catch (error) {
    if (signal.aborted) return failed(`took longer than ${pictureMaxMs / 1000} seconds`);
    const words = describeCauses(error);
    const isPrivate = words.includes("is not allowed. Because");
    return failed(isPrivate ? "is at an address that is not of the open network" : words);
  } finally {
    agent.destroy();
  }
}

async function ask(url: URL, options: { agent: RequestFilteringHttpsAgent; signal: AbortSignal }) {
  const headers = {
    // Not what only new mail programs show, where a server has the choice.
    accept: "image/png,image/jpeg,image/gif,image/webp;q=0.5",
    "user-agent": "Chalkline (import)",
  };
  const asked = request(url, { ...options, headers });
  asked.end();
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  // From here on, the response reports what breaks.
  asked.on("error", () => {});
  return response;
}

async function readAnswer(response: IncomingMessage, status: number): Promise<FetchedPicture> {
  const tooLarge = failed(`is larger than ${pictureMaxBytes / 1_000_000} MB`);
  try {
    if (status !== 200) return failed(`is answered with ${status}`);
    if (Number(response.headers["content-length"] ?? 0) > pictureMaxBytes) return tooLarge;
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > pictureMaxBytes) return tooLarge;
      chunks.push(chunk);
    }
    const picture = readPicture(Buffer.concat(chunks));
    return picture ? { ok: true, picture } : failed("is no PNG, JPEG, GIF or WebP");
  } finally {
    response.destroy();
  }
}

function failed(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}
