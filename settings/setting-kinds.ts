import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { homedir } from "node:os";
import path from "node:path";
import { colord, extend } from "colord";
import a11y from "colord/plugins/a11y";
import * as v from "valibot";
import { emailAddress, isPlainAddress } from "#content/text.ts";

extend([a11y]);

/** Reserved values reach nobody. */
export function exampleFact(value: string) {
  return { default: value, unset: `${value} is shown` };
}

/** Null fails as not `what`. */
export function read<Value>(
  what: string,
  readText: (text: string) => Value | null,
): v.GenericSchema<string, Value> {
  return v.pipe(
    v.string(),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const value = readText(dataset.value);
      if (value !== null) return value;
      addIssue({ message: `must be ${what}` });
      return NEVER;
    }),
  );
}

export function matching(pattern: RegExp, what: string) {
  return read(what, (text) => (pattern.test(text) ? text : null));
}

/** `M5V 0A0`. */
export function postalCode() {
  return read("a Canadian postal code", (text) => {
    const [, area, place] = /^([a-z]\d[a-z]) ?(\d[a-z]\d)$/i.exec(text) ?? [];
    return area && place ? `${area} ${place}`.toUpperCase() : null;
  });
}

export function words() {
  return matching(/^[^\p{Cc}<>]{1,200}$/u, "one line of at most 200 characters, without < and >");
}

export function oneOf<const Word extends string>(...allowed: Word[]) {
  return read(
    `one of ${allowed.join(", ")}`,
    (text) => allowed.find((word) => word === text) ?? null,
  );
}

export function wholeNumber(min: number, max: number) {
  return read(`a whole number from ${min} to ${max}`, (text) =>
    /^\d{1,5}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : null,
  );
}

/** Relative to the `.env` file's own folder; `~/` is home. */
export function file(what = "a file") {
  return read(`${what}, written out (nothing replaces a $)`, (text) =>
    /[\0$]/.test(text) ? null : placeOf(text),
  );
}

const projectFolder = path.join(import.meta.dirname, "..");

/** A release only links to `.env`, and its files must outlive the release. */
function placeOf(text: string): string {
  if (text.startsWith("~/")) return path.join(homedir(), text.slice(2));
  const settingsFile = path.join(projectFolder, ".env");
  const place = existsSync(settingsFile) ? realpathSync(settingsFile) : settingsFile;
  return path.resolve(path.dirname(place), text);
}

const logoMaxBytes = 200 * 1024;

export type LogoFile = { type: "svg" | "png"; bytes: Buffer<ArrayBuffer> };

const svgStart = /^\ufeff?\s*(?:<(?:\?|!)[^>]*>\s*)*<svg[\s>]/;

/** A file or a data URL, without scripts. */
export function logoFile() {
  return read("an SVG or PNG file of at most 200 KB, without scripts", (text): LogoFile | null => {
    const bytes = text.startsWith("data:")
      ? Buffer.from(text.slice(text.indexOf(",") + 1), "base64")
      : readSmallFile(placeOf(text));
    if (bytes.length === 0 || bytes.length > logoMaxBytes) return null;
    if (bytes.subarray(1, 4).toString() === "PNG") return { type: "png", bytes };
    const words = bytes.toString();
    const isDrawing =
      svgStart.test(words) && !/<script|<foreignObject|\son\w+=|javascript:/i.test(words);
    return isDrawing ? { type: "svg", bytes } : null;
  });
}

function readSmallFile(place: string): Buffer<ArrayBuffer> {
  const size = statSync(place, { throwIfNoEntry: false })?.size ?? 0;
  return size === 0 || size > logoMaxBytes ? Buffer.alloc(0) : readFileSync(place);
}

export function email() {
  return read("an email address", (text) => (isPlainEmail(text) ? text : null));
}

function isPlainEmail(text: string): boolean {
  return v.is(emailAddress("Address"), text) && isPlainAddress(text);
}

/** WCAG 2.2, success criterion 1.4.3. */
export function accentColour() {
  return read(
    "a colour as # and six digits, dark enough to read on the page's paper (a contrast of 4.5)",
    (text) =>
      /^#[0-9a-f]{6}$/i.test(text) && colord(text).contrast("#eef2e9") >= 4.5
        ? text.toLowerCase()
        : null,
  );
}

export function webAddress() {
  return url(["http:", "https:"], "an http or https address");
}

/** Protocols have their colon: `smtp:`. */
export function url(protocols: string[], what: string) {
  return read(`${what}${signIns}`, (text) => {
    const { protocol = "", hostname } = URL.parse(text) ?? {};
    return protocols.includes(protocol) && hostname && !text.includes("#") ? text : null;
  });
}

/** A # would end the address within the password. */
const signIns = ", with any # in a password as %23";

export function postgresAddress() {
  const ofOneHost = (text: string) => text.replace(/^(\w+:\/\/(?:[^@/?]*@)?[^,/?]*),[^/?]*/, "$1");
  return read(`a postgres:// address with a host and a database${signIns}`, (text) => {
    const { protocol = "", hostname } = URL.parse(ofOneHost(text)) ?? {};
    const isOurs = ["postgres:", "postgresql:"].includes(protocol) && hostname;
    return isOurs && !text.includes("#") ? text : null;
  });
}

/** Without path, query, fragment or sign-in. */
export function origin(what: string) {
  return read(what, (text) => {
    const { protocol, href, origin: start } = URL.parse(text) ?? { protocol: "" };
    const isOrigin = /^https?:$/.test(protocol) && href === `${start}/` && !/[?#;,'"]/.test(text);
    return isOrigin && start ? start : null;
  });
}

/** 24 to 64 bytes in base64 (Standard Webhooks specification, "Signature scheme"). */
export function webhookSecret() {
  const command = `node -p '"whsec_" + crypto.randomBytes(32).toString("base64")'`;
  return read(`whsec_ and then 24 to 64 bytes in base64, as this prints: ${command}`, (text) => {
    const encoded = text.replace(/^whsec_/, "");
    // As the standardwebhooks package decodes it.
    const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(encoded) && encoded.length % 4 === 0;
    const bytes = Buffer.from(encoded, "base64").byteLength;
    return isBase64 && bytes >= 24 && bytes <= 64 ? text : null;
  });
}

/** The sign-in, and the address of bounces: the user, or the one after it. */
export function readBounceMailbox(text: string): { url: string; address: string } | null {
  const parsed = URL.parse(text);
  if (!parsed || !["imaps:", "imap:"].includes(parsed.protocol) || text.includes("#")) return null;
  if (!parsed.hostname || !parsed.username || !parsed.password) return null;
  try {
    const address = parsed.searchParams.get("address") ?? decodeURIComponent(parsed.username);
    return isPlainEmail(address) ? { url: parsed.href, address } : null;
  } catch {
    return null;
  }
}

/** `host:port`; IPv6 in brackets. */
export function readListenAddress(text: string): { host: string; port: number } | null {
  const [, ip6, name, port] = /^(?:\[(.+)\]|([a-z0-9._-]+)):(\d{1,5})$/i.exec(text) ?? [];
  const host = name ?? (ip6 !== undefined && isIP(ip6) === 6 ? ip6 : null);
  return host !== null && Number(port) <= 65_535 ? { host, port: Number(port) } : null;
}

export function isAddressOrRange(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (bits === undefined) return true;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
}
