import { useSiteFacts } from "../site-facts.ts";

/** The firm's address, which breaks after its "@" where a line is too short for it. */
export function MailLink({ className }: { className?: string }) {
  const { email } = useSiteFacts().settings;
  const [mailbox, host] = email.split("@");
  return (
    <a className={className} href={`mailto:${email}`}>
      {`${mailbox}@`}
      <wbr />
      {host}
    </a>
  );
}

export function PhoneLink() {
  const { phone } = useSiteFacts().settings;
  return <a href={`tel:${phone.replace(/[^+\d]/g, "")}`}>{phone}</a>;
}
