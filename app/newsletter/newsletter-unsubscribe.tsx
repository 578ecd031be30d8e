import { mailLinks } from "#content/pages/mail-links.ts";
import { pageMeta, rootFacts } from "../seo/page-meta.ts";
import type { Route } from "./+types/newsletter-unsubscribe";
import { leaveByLink, MailLink, mailLinkLoader } from "./mail-link.tsx";

export const loader = mailLinkLoader;

export function action(args: Route.ActionArgs) {
  return leaveByLink(args);
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ ...mailLinks.unsubscribe.head, noIndex: true }, rootFacts(matches).settings);
}

export default function NewsletterUnsubscribePage({ actionData }: Route.ComponentProps) {
  return <MailLink words={mailLinks.unsubscribe} outcome={actionData} />;
}
