import { newAddress } from "./new-address.ts";
import type { SiteServer } from "./site-server.ts";

/** Signs a new address up over the wire, and reads the links in the mail that comes of it. Rejects where none comes. */
export async function signUpForLinks(site: SiteServer) {
  const address = newAddress();
  const signup = await fetch(`${site.url}/functions/v1/newsletter-signup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: address }),
  });
  const { success, duplicate, message } = (await signup.json()) as Record<string, unknown>;
  if (success !== true || duplicate !== false) throw new Error(`No sign-up: ${message}`);
  const mail = await site.mailTo(address);
  const link = (page: string) => linkIn(mail.text, page);
  const unsubscribe = link("unsubscribe");
  return { address, confirm: link("confirm"), unsubscribe };
}

/** The link to a page of the newsletter in a mail's text. */
export function linkIn(text: string | undefined, page: string) {
  const link = new RegExp(`http://\\S+/newsletter/${page}\\?token=[\\w-]+`).exec(text ?? "");
  if (!link) throw new Error(`No link to ${page} in ${text}`);
  return link[0];
}
