import { useSiteFacts } from "../site-facts.ts";

/** The firm's address, which may wrap after its "@". */
export function EmailLink({ className }: { className?: string }) {
  const { email } = useSiteFacts().settings;
  const host = email.indexOf("@") + 1;
  return (
    <a className={className} href={`mailto:${email}`}>
      {email.slice(0, host)}
      <wbr />
      {email.slice(host)}
    </a>
  );
}

export function PhoneLink() {
  const { phone } = useSiteFacts().settings;
  return <a href={`tel:${phone.replace(/[^+\d]/g, "")}`}>{phone}</a>;
}
