import { mailLinks } from "#content/pages/mail-links.ts";
import { metaOf } from "../seo/page-meta.ts";
import type { Route } from "./+types/newsletter-confirm";
import { confirmByLink, MailLink, mailLinkLoader } from "./mail-link.tsx";

export const loader = mailLinkLoader;
export const action = confirmByLink;

export const meta = metaOf({ ...mailLinks.confirm.head, noIndex: true });

export default function NewsletterConfirmPage({ actionData }: Route.ComponentProps) {
  return <MailLink words={mailLinks.confirm} outcome={actionData} />;
}
