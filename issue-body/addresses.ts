/** Where the site serves a picture that it stores itself, named by the SHA-256 of its bytes. */
export const ownPicturePath = /^\/pictures\/([\w-]{43})\.(png|jpg|gif|webp)$/;

/** The page of an issue on this site. */
const ownIssuePath = /^\/newsletter\/[1-9]\d{0,14}$/;

/** Largest picture that may be written into a body as a `data:` address, in characters of base64. */
const maxDataImageLength = 300_000;
/** Longest other address, in characters. */
const maxAddressLength = 4_000;
/** What is put before ids and in-page anchors, so that a body can't take the page's own. */
export const idPrefix = "issue-";

/** An address for a link: http, https, mailto, tel, an issue's or a picture's of this site, or an anchor inside this body. Null when it is none of these. */
export function linkAddress(raw: string): string | null {
  const address = raw.trim();
  if (address.startsWith("#")) {
    const id = bodyId(address.slice(1));
    return id === null ? null : `#${id}`;
  }
  if (/^(?:mailto|tel):/i.test(address)) {
    return /^(?:mailto|tel):[^\s<>"'\\]{1,1000}$/i.test(address) ? address : null;
  }
  const isOwn = ownIssuePath.test(address) || ownPicturePath.test(address);
  return isOwn ? address : webAddress(address);
}

/** An address for a picture: http, https, one that the site keeps itself, or a small PNG, JPEG, GIF or WebP as base64 data. */
export function imageAddress(raw: string): string | null {
  const address = raw.trim();
  if (/^data:/i.test(address)) {
    if (address.length > maxDataImageLength) return null;
    return /^data:image\/(?:png|jpe?g|gif|webp);base64,[a-z0-9+/=\s]+$/i.test(address)
      ? address.replace(/\s+/g, "")
      : null;
  }
  return ownPicturePath.test(address) ? address : webAddress(address);
}

/** An id of this body's own, prefixed once. Null when it holds anything but letters, digits, `_`, `-`, `.` and `:`. */
export function bodyId(raw: string): string | null {
  const id = raw.trim();
  if (!/^[\w.:-]{1,80}$/.test(id)) return null;
  return id.startsWith(idPrefix) ? id : `${idPrefix}${id}`;
}

function webAddress(address: string): string | null {
  if (address.length > maxAddressLength || !/^https?:\/\/[^\s\\]/i.test(address)) return null;
  if (!URL.canParse(address)) return null;
  const { username, password } = new URL(address);
  return username === "" && password === "" ? address : null;
}

/** How an address that was refused is named to the operator: by its scheme, never in full. */
export function describeAddress(raw: string): string {
  const squeezed = raw.replace(/[\u0000-\u0020]+/g, "");
  const scheme = /^([a-z][a-z0-9+.-]{0,20}):/i.exec(squeezed)?.[1];
  if (scheme !== undefined) return `${scheme.toLowerCase()}: address`;
  return /^\*\|.*\|\*/.test(squeezed) || /^\{\{/.test(squeezed)
    ? "merge tag for an address"
    : "relative or incomplete address";
}
