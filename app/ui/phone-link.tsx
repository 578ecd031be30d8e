import { useSiteFacts } from "../site-facts.ts";

export function PhoneLink() {
  const { phone } = useSiteFacts().settings;
  return <a href={`tel:${phone.replace(/[^+\d]/g, "")}`}>{phone}</a>;
}
