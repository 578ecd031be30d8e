import { mailLinks } from "#content/pages/mail-links.ts";
import { pageMeta, rootFacts } from "../seo/page-meta.ts";
import type { Route } from "./+types/newsletter-confirm";
import { confirmByLink, MailLink, mailLinkLoader } from "./mail-link.tsx";

export const loader = mailLinkLoader;

export function action(args: Route.ActionArgs) {
  return confirmByLink(args);
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ ...mailLinks.confirm.head, noIndex: true }, rootFacts(matches).settings);
}

export default function NewsletterConfirmPage({ actionData }: Route.ComponentProps) {
  return <MailLink words={mailLinks.confirm} outcome={actionData} />;
}
