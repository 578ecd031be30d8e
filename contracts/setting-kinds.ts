import { isIP } from "node:net";
import * as v from "valibot";
import { emailAddress } from "./text.ts";

/** Longest value of any setting, in UTF-16 code units. */
const settingMaxLength = 2_000;

/** Bytes of a webhook secret, least and most (Standard Webhooks specification, "Signature scheme"). */
const webhookSecretBytes = { min: 24, max: 64 };

/** What may be set or not: one text that passes the check. */
export function setting(check: v.PipeItem<string, string, v.BaseIssue<unknown>>) {
  return v.optional(
    v.pipe(
      v.string(),
      v.maxLength(settingMaxLength, `must be at most ${settingMaxLength} characters.`),
      check,
    ),
  );
}

/** One line of words as pages show them, without markup. */
export function factSetting(example: string) {
  return setting(
    v.regex(
      /^[^\p{Cc}<>]{1,200}$/u,
      `must be one line of at most 200 characters, without < and >, for example ${example}.`,
    ),
  );
}

/** An address that can stand in a header as it is. */
export function emailSetting() {
  return setting(
    v.check(
      (text) => v.is(emailAddress("Setting"), text) && !/[<>",;]/.test(text),
      "must be an email address, for example hello@example.com.",
    ),
  );
}

/** An http or https address, with a path or without. */
export function webAddressSetting(example: string) {
  return urlSetting(
    ["http:", "https:"],
    `must be an http or https address, for example ${example}.`,
  );
}

/** An address with a host, by one of the protocols, each written with its colon: `smtp:`. */
export function urlSetting(protocols: string[], message: string) {
  return setting(
    v.check((text) => {
      const url = URL.parse(text);
      return url !== null && protocols.includes(url.protocol) && url.hostname !== "";
    }, message),
  );
}

/** An http or https address with no path, query, fragment or sign-in; a last slash is let pass. */
export function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.href === `${url.origin}/` &&
    !/[?#]/.test(text)
  );
}

/** A secret of the Standard Webhooks specification. */
export function webhookSecretSetting() {
  return setting(
    v.check(
      isWebhookSecret,
      `must be whsec_ and then ${webhookSecretBytes.min} to ${webhookSecretBytes.max} bytes in base64, for example what this prints: node -p '"whsec_" + crypto.randomBytes(32).toString("base64")'.`,
    ),
  );
}

/** What bounces are sent to has to be known: the user, or the address that is given after it. */
export function isBounceMailbox(text: string): boolean {
  const url = URL.parse(text);
  if (!url || !["imaps:", "imap:"].includes(url.protocol)) return false;
  if (url.hostname === "" || url.username === "" || url.password === "") return false;
  return bounceAddressOf(url) !== null;
}

/** The address of the mailbox that `BOUNCE_MAILBOX` names; null where it names none. */
export function bounceAddressOf(url: URL): string | null {
  try {
    const address = url.searchParams.get("address") ?? decodeURIComponent(url.username);
    return v.is(emailAddress("Address"), address) && !/[<>",;\s]/.test(address) ? address : null;
  } catch {
    return null;
  }
}

function isWebhookSecret(text: string): boolean {
  const encoded = text.replace(/^whsec_/, "");
  // The same strict base64, with padding, that the standardwebhooks package decodes.
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded) || encoded.length % 4 !== 0) return false;
  const bytes = Buffer.from(encoded, "base64").byteLength;
  return bytes >= webhookSecretBytes.min && bytes <= webhookSecretBytes.max;
}

/** `host:port`; an IPv6 address in brackets. */
export function isListenAddress(text: string): boolean {
  const [, inBrackets, name, port] = /^(?:\[(.+)\]|([a-z0-9._-]+)):(\d{1,5})$/i.exec(text) ?? [];
  const hostIsSound = inBrackets === undefined ? name !== undefined : isIP(inBrackets) === 6;
  return hostIsSound && Number(port) <= 65_535;
}

/** An IPv4 or IPv6 address, or a CIDR range of either. */
export function isAddressOrRange(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (bits === undefined) return true;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
}
