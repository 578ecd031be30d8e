import { mailLinks } from "#content/pages/mail-links.ts";
import { pageMeta } from "../../seo/page-meta.ts";
import { rootFacts } from "../../seo/root-facts.ts";
import type { Route } from "./+types/newsletter-confirm";
import { confirmByLink, confirmLoader } from "./follow-mail-link.server.ts";
import { MailLink } from "./mail-link.tsx";

export const loader = confirmLoader;

export function action(args: Route.ActionArgs) {
  return confirmByLink(args);
}

export function meta({ matches, loaderData = "confirm" }: Route.MetaArgs) {
  return pageMeta({ ...mailLinks[loaderData].head, noIndex: true }, rootFacts(matches).settings);
}

export default function NewsletterConfirmPage({ actionData, loaderData }: Route.ComponentProps) {
  return <MailLink words={mailLinks[loaderData]} outcome={actionData} />;
}
