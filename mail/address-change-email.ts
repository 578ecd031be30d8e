import { newsletterName } from "#content/site.ts";
import type { SiteIdentity } from "#contracts/site-settings.ts";
import { askToConfirm } from "./ask-to-confirm.ts";
import type { MailMessage } from "./mail-message.ts";
import { mailToReader } from "./mail-to-reader.ts";
import { confirmAddressLink } from "./newsletter-links.ts";
import type { OutboxPayloads } from "./outbox-jobs.ts";

type AddressChangeEmailOptions = {
  deliveryId: string;
  createdAt: string;
  payload: OutboxPayloads["address-change-email"];
  site: SiteIdentity;
};

/**
 * Asks the owner of an address whether the newsletter shall come to it from now on. It promotes nothing and doesn't say
 * who asked; leaving isn't offered, since nobody is on the list by it and its link may be in a stranger's hands.
 */
export function addressChangeEmail(options: AddressChangeEmailOptions): MailMessage {
  const { payload, site } = options;
  return mailToReader(options, {
    subject: `Confirm your new address for ${newsletterName}`,
    asked: `A reader of ${newsletterName}, the weekly newsletter of ${site.name} (${site.url}), asked us to send it to this address from now on, instead of the old one.`,
    ...askToConfirm({
      link: confirmAddressLink(site, payload.confirmToken),
      label: "Confirm my new address",
      ignore:
        "If it wasn't you, ignore this message: nothing changes unless you confirm, and nothing more is sent to you.",
    }),
    unsubscribe: null,
  });
}
