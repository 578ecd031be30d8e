import { mailLinks } from "#content/pages/mail-links.ts";
import { pageMeta } from "../../seo/page-meta.ts";
import { rootFacts } from "../../seo/root-facts.ts";
import type { Route } from "./+types/newsletter-preferences";
import { changeAddress } from "./change-address.server.ts";
import { ChangeAddress } from "./change-address.tsx";
import { mailLinkLoader } from "./follow-mail-link.server.ts";

export const loader = mailLinkLoader;

export function action(args: Route.ActionArgs) {
  return changeAddress(args);
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ ...mailLinks.preferences.head, noIndex: true }, rootFacts(matches).settings);
}

export default function NewsletterPreferencesPage({ actionData }: Route.ComponentProps) {
  return <ChangeAddress outcome={actionData} />;
}
