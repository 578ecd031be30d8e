import { mailLinks } from "#content/pages/mail-links.ts";
import { metaOf } from "../seo/page-meta.ts";
import type { Route } from "./+types/newsletter-unsubscribe";
import { leaveByLink, MailLink, mailLinkLoader } from "./mail-link.tsx";

export const loader = mailLinkLoader;
export const action = leaveByLink;

export const meta = metaOf({ ...mailLinks.unsubscribe.head, noIndex: true });

export default function NewsletterUnsubscribePage({ actionData }: Route.ComponentProps) {
  return <MailLink words={mailLinks.unsubscribe} outcome={actionData} />;
}
