import type { ComponentProps } from "react";
import { phoneWords } from "#content/site.ts";
import { useSiteFacts } from "../site-facts.ts";

export function Link({ to, ...others }: Omit<ComponentProps<"a">, "href"> & { to: string }) {
  return <a href={to} {...others} />;
}

type Links = readonly { label: string; path: string }[];

export function LinkItems({ links, className }: { links: Links; className?: string }) {
  return links.map(({ label, path }) => (
    <li key={path}>
      <Link className={className} to={path}>
        {label}
      </Link>
    </li>
  ));
}

/** May wrap after its "@". */
export function EmailLink() {
  const { email } = useSiteFacts().settings;
  const host = email.indexOf("@") + 1;
  return (
    <a href={`mailto:${email}`}>
      {email.slice(0, host)}
      <wbr />
      {email.slice(host)}
    </a>
  );
}

/** Nothing where the firm has none. */
export function PhoneLink({ className }: { className?: string }) {
  const { phone } = useSiteFacts().settings;
  if (!phone) return null;
  return (
    <a className={className} href={`tel:${phone.replace(/[^+\d]/g, "")}`}>
      {phoneWords.call} {phone}
    </a>
  );
}

export function opensElsewhere({ ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  return ctrlKey || metaKey || shiftKey;
}
