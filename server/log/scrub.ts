export type Scrub = (text: string) => string;

/** One at-sign between two words, also percent-encoded as in a path. A package's path such as `/@scope/name` is none. */
const emailAddress = /[^\s<>()[\]"'`,;:/\\?&=@]+(?:@|%40)[^\s<>()[\]"'`,;:/\\?&=@]+/gi;

/** The form of a subscriber's token: 256 bits in base64url. */
const mailLinkToken = /(?<![\w-])[\w-]{43}(?![\w-])/g;

/** Gives a function that takes secrets, e-mail addresses and mail-link tokens out of a text. */
export function createScrubber(secrets: string[]): Scrub {
  // The longest first: a secret can contain another.
  const longestFirst = secrets.toSorted((a, b) => b.length - a.length);
  return (text) => {
    let scrubbed = text;
    for (const secret of longestFirst) scrubbed = scrubbed.replaceAll(secret, "[secret]");
    return scrubbed.replace(emailAddress, "[address]").replace(mailLinkToken, "[token]");
  };
}
