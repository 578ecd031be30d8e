import { Link } from "react-router";
import type { LegalPhrase, LegalText } from "#content/legal-document.ts";
import { postalAddressAbroad } from "#content/site.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { useSiteFacts } from "../../site-facts.ts";
import { EmailLink } from "../../ui/email-link.tsx";
import { PhoneLink } from "../../ui/phone-link.tsx";
import { unbroken } from "../../ui/unbroken.tsx";

/** A clause's words, with its links, and the firm's facts filled in. */
export function LegalWords({ text }: { text: LegalText }) {
  const { settings } = useSiteFacts();
  if (typeof text === "string") return unbroken(text);
  return text.map((phrase) => (
    <Phrase key={JSON.stringify(phrase)} phrase={phrase} settings={settings} />
  ));
}

function Phrase({ phrase, settings }: { phrase: LegalPhrase; settings: SiteSettings }) {
  if (typeof phrase === "string") return unbroken(phrase);
  if ("path" in phrase) return <Link to={phrase.path}>{phrase.label}</Link>;
  switch (phrase.fact) {
    case "name":
      return settings.name;
    case "email":
      return <EmailLink />;
    case "phone":
      return <PhoneLink />;
    case "postalAddress":
      return unbroken(postalAddressAbroad(settings));
  }
}
