import { callFunction } from "./call-function.ts";
import { newAddress } from "./new-address.ts";
import type { SiteServer } from "./site-server.ts";

/** Signs a new address up over the wire, and reads the links in the mail that comes of it. Rejects where none comes. */
export async function signUpForLinks(site: SiteServer) {
  const address = newAddress();
  const signup = await callFunction(site.url, "newsletter-signup", { email: address });
  const { success, duplicate, message } = (await signup.json()) as Record<string, unknown>;
  if (success !== true || duplicate !== false) throw new Error(`No sign-up: ${message}`);
  const mail = await site.mailTo(address);
  const link = (page: string) => {
    const found = new RegExp(`http://\\S+/newsletter/${page}\\?token=[\\w-]+`).exec(
      mail.text ?? "",
    );
    if (!found) throw new Error(`No link to ${page} in ${mail.text}`);
    return found[0];
  };
  return { address, confirm: link("confirm"), unsubscribe: link("unsubscribe") };
}

/** The same for an address that has confirmed, over the wire too. */
export async function confirmForLinks(site: SiteServer) {
  const links = await signUpForLinks(site);
  const token = new URL(links.confirm).searchParams.get("token");
  const answer = await callFunction(site.url, "newsletter-confirm", { token });
  if (!answer.ok) throw new Error(`Not confirmed: ${await answer.text()}`);
  return links;
}
