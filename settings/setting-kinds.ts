import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { homedir } from "node:os";
import path from "node:path";
import { colord, extend } from "colord";
import a11y from "colord/plugins/a11y";
import * as v from "valibot";
import { emailAddress, isPlainAddress } from "#content/text.ts";

extend([a11y]);

/** The control of the desk's form; a line of text by default. */
type Input = "email" | "tel" | "url" | "color" | "number" | "logo" | "yes or no";

/** How a setting's text is read: null is a mistake, told as "must be …". */
export type Kind<Value> = {
  mustBe: string;
  read: (text: string) => Value | null;
  input?: Input | undefined;
};

/** An error of `read` is a mistake too. */
export function kind<Value>(mustBe: string, read: Kind<Value>["read"], input?: Input): Kind<Value> {
  const readOrNull = (text: string) => {
    try {
      return read(text);
    } catch {
      return null;
    }
  };
  return { mustBe, read: readOrNull, input };
}

/** Reserved values reach nobody. */
export function exampleFact(value: string) {
  return { default: value, unset: `${value} is shown` };
}

export function matching(pattern: RegExp, mustBe: string, input?: Input) {
  return kind(mustBe, (text) => (pattern.test(text) ? text : null), input);
}

/** `M5V 0A0`. */
export const postalCode = kind("a Canadian postal code", (text) => {
  const [, area, place] = /^([a-z]\d[a-z]) ?(\d[a-z]\d)$/i.exec(text) ?? [];
  return area && place ? `${area} ${place}`.toUpperCase() : null;
});

export const words = matching(
  /^[^\p{Cc}<>]{1,200}$/u,
  "one line of at most 200 characters, without < and >",
);

export function oneOf<const Word extends string>(...allowed: Word[]) {
  return kind(
    `one of ${allowed.join(", ")}`,
    (text) => allowed.find((word) => word === text) ?? null,
  );
}

export function wholeNumber(min: number, max: number) {
  const read = (text: string) =>
    /^\d{1,8}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : null;
  return kind(`a whole number from ${min} to ${max}`, read, "number");
}

/** Relative to the `.env` file's own folder; `~/` is home. */
export function file(what = "a file") {
  return kind(`${what}, written out (nothing replaces a $)`, (text) =>
    /[\0$]/.test(text) ? null : placeOf(text),
  );
}

/** A release only links to `.env`, and its files must outlive the release. */
function placeOf(text: string): string {
  if (text.startsWith("~/")) return path.join(homedir(), text.slice(2));
  const settingsFile = path.join(import.meta.dirname, "..", ".env");
  const place = existsSync(settingsFile) ? realpathSync(settingsFile) : settingsFile;
  return path.resolve(path.dirname(place), text);
}

const logoMaxBytes = 200 * 1024;

export type LogoFile = { type: "svg" | "png"; bytes: Buffer<ArrayBuffer> };

const svgStart = /^\ufeff?\s*(?:<(?:\?|!)[^>]*>\s*)*<svg[\s>]/;

/** A file, or a data URL from the desk. It is served with a policy that runs no script of an SVG. */
export const logoFile = kind(
  "an SVG or PNG file of at most 200 KB",
  (text): LogoFile | null => {
    const isUploaded = text.startsWith("data:");
    if (!isUploaded && statSync(placeOf(text)).size > logoMaxBytes) return null;
    const bytes = isUploaded
      ? Buffer.from(text.slice(text.indexOf(",") + 1), "base64")
      : readFileSync(placeOf(text));
    if (bytes.length > logoMaxBytes) return null;
    if (bytes.subarray(1, 4).toString() === "PNG") return { type: "png", bytes };
    return svgStart.test(bytes.toString()) ? { type: "svg", bytes } : null;
  },
  "logo",
);

export const email = kind(
  "an email address",
  (text) => (v.is(emailAddress("Address"), text) && isPlainAddress(text) ? text : null),
  "email",
);

/** WCAG 2.2, success criterion 1.4.3. The value has six digits, as a browser's colour field wants it. */
export const accentColour = kind(
  "a colour as # and three or six digits, dark enough to read on the page's paper (a contrast of 4.5)",
  (text) =>
    /^#([0-9a-f]{3}){1,2}$/i.test(text) && colord(text).contrast("#eef2e9") >= 4.5
      ? colord(text).toHex()
      : null,
  "color",
);

/** A # would end the address within the password. */
export function address(protocols: string[], what: string, input?: Input) {
  const read = (text: string) => {
    const { protocol, hostname } = new URL(text);
    return protocols.includes(protocol) && hostname && !text.includes("#") ? text : null;
  };
  return kind(`${what}, with any # in a password as %23`, read, input);
}

export const webAddress = address(["http:", "https:"], "an http or https address", "url");

/** Without path, query, fragment or sign-in. */
export const siteOrigin = kind("the site's http or https address and nothing after it", (text) => {
  const { protocol, href, origin } = new URL(text);
  const isOrigin = /^https?:$/.test(protocol) && href === `${origin}/` && !/[?#;,'"]/.test(text);
  return isOrigin ? origin : null;
});

/** Browsers allow passkeys over https, and over http for this machine alone. */
export const passkeyOrigin = kind(
  "the desk's https address and nothing after it, by a name: no passkey can belong to a number",
  (text) => {
    const { protocol, hostname } = new URL(text);
    if (isIP(hostname.replace(/^\[|\]$/g, "")) > 0) return null;
    return protocol === "https:" || hostname === "localhost" ? siteOrigin.read(text) : null;
  },
);

/** 24 to 64 bytes in base64 (Standard Webhooks specification, "Signature scheme"). */
export const webhookSecret = kind(
  `whsec_ and then 24 to 64 bytes in base64, as this prints: node -p '"whsec_" + crypto.randomBytes(32).toString("base64")'`,
  (text) => {
    const encoded = text.replace(/^whsec_/, "");
    // As the standardwebhooks package decodes it.
    const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(encoded) && encoded.length % 4 === 0;
    const bytes = Buffer.from(encoded, "base64").byteLength;
    return isBase64 && bytes >= 24 && bytes <= 64 ? text : null;
  },
);

/** The sign-in, and the address of bounces: the user, or the one after it. */
export const bounceMailbox = kind(
  "imaps://, a user, a password and a host, with ?address= after it where the user isn't an email address",
  (text) => {
    const { protocol, username, password, hostname, href, searchParams } = new URL(text);
    if (!/^imaps?:$/.test(protocol) || text.includes("#")) return null;
    const address = searchParams.get("address") ?? decodeURIComponent(username);
    return username && password && hostname && email.read(address) ? { url: href, address } : null;
  },
);

export const addressRanges = kind("addresses or CIDR ranges with commas between them", (text) => {
  const parts = text === "" ? [] : text.split(",").map((part) => part.trim());
  const isRange = (part: string) => {
    const [, address = "", bits = "0"] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(part) ?? [];
    return Number(bits) <= ({ 4: 32, 6: 128 }[isIP(address)] ?? -1);
  };
  return parts.every(isRange) ? parts : null;
});
