import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { describeCauses } from "#db/describe-causes.ts";
import { type Picture, pictureMaxBytes, pictureTypeOf } from "#newsletter/pictures.ts";
import { isPublicAddress } from "./public-address.ts";

/** For one picture with all its redirects. */
const pictureMaxMs = 20_000;
const redirectsMax = 5;

/** How hosts are found, and which may be asked. */
export type Network = {
  resolve: (host: string) => Promise<LookupAddress[]>;
  isAllowed: (address: string) => boolean;
  /** Certificates that count beside those that Node trusts. */
  ca?: string;
};

const openNetwork: Network = {
  resolve: (host) => lookup(host, { all: true }),
  isAllowed: isPublicAddress,
};

export type FetchedPicture = { ok: true; picture: Picture } | { ok: false; reason: string };

/**
 * Fetches a picture by https from the open network. An archive may say any address, so each that a name leads to is
 * looked at before anything is sent to it, and again after each redirect; the connection goes to what was looked at.
 * What comes is taken for a picture by its content alone. A reason is a half sentence for the operator.
 */
export async function fetchPicture(
  address: string,
  network: Network = openNetwork,
): Promise<FetchedPicture> {
  const signal = AbortSignal.timeout(pictureMaxMs);
  let url = URL.parse(address);
  try {
    for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
      // Many an old archive says http of what has long been there by https.
      if (url?.protocol === "http:") url.protocol = "https:";
      if (url?.protocol !== "https:") return failed("is no https address");
      const response = await ask(url, network, signal);
      const status = response.statusCode ?? 0;
      const { location } = response.headers;
      if (status < 300 || status >= 400 || !location) return await readPicture(response, status);
      response.destroy();
      url = URL.parse(location, url);
    }
    return failed("leads from one address to the next without end");
  } catch (error) {
    if (signal.aborted) return failed(`took longer than ${pictureMaxMs / 1000} seconds`);
    return failed(describeCauses(error));
  }
}

async function ask(url: URL, network: Network, signal: AbortSignal): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  // A name is looked at while it's looked up; what is an address already is not looked up.
  if (isIP(host) !== 0 && !network.isAllowed(host)) throw new Error(notPublic);
  const asked = request(url, {
    agent: false,
    ca: network.ca,
    lookup: lookupIn(network),
    signal,
    // Not what only new mail programs show, where a server has the choice.
    headers: {
      accept: "image/png,image/jpeg,image/gif,image/webp;q=0.5",
      "user-agent": "Chalkline (import)",
    },
  });
  asked.end();
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  // From now on what breaks is told by the answer.
  asked.on("error", () => {});
  return response;
}

const notPublic = "is at an address that is not of the open network";

function lookupIn({ resolve, isAllowed }: Network): LookupFunction {
  return (host, { all }, callback) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses;
        if (!first || !addresses.every(({ address }) => isAllowed(address))) {
          callback(new Error(notPublic), "", 4);
        } else if (all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, "", 4),
    );
  };
}

async function readPicture(response: IncomingMessage, status: number): Promise<FetchedPicture> {
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
    const bytes = Buffer.concat(chunks);
    const type = pictureTypeOf(bytes);
    if (!type) return failed("is no PNG, JPEG, GIF or WebP");
    return { ok: true, picture: { bytes, type } };
  } finally {
    response.destroy();
  }
}

function failed(reason: string): FetchedPicture & { ok: false } {
  return { ok: false, reason };
}

const tooLarge = failed(`is larger than ${pictureMaxBytes / 1_000_000} MB`);
