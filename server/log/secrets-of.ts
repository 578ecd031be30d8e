import type { Config } from "../settings.ts";

/** Every text in the settings that opens something, in each form in which a library may repeat it. */
export function secretsOf(config: Config): string[] {
  const {
    smtpUrl,
    databaseUrl,
    newsletterWebhookUrl,
    webhookSecret,
    hostedBackend,
    bounceMailbox,
    mailEventsSecret,
  } = config;
  const forms = [
    ...signInOf(smtpUrl),
    ...signInOf(databaseUrl),
    ...signInOf(bounceMailbox?.url ?? null),
    ...signInOf(newsletterWebhookUrl),
    // Whoever knows a workflow's address can call it, so its path counts as a secret.
    ...pathOf(newsletterWebhookUrl),
    webhookSecret,
    webhookSecret?.replace(/^whsec_/, ""),
    mailEventsSecret,
    mailEventsSecret?.replace(/^whsec_/, ""),
    hostedBackend?.anonKey,
  ];
  return [...new Set(forms.filter((form): form is string => Boolean(form)))];
}

/** The password as the address writes it and as it is meant, and both as SMTP sends them. */
function signInOf(address: string | null): string[] {
  const url = address === null ? null : URL.parse(address);
  if (!url || url.password === "") return [];
  const password = decoded(url.password);
  const user = decoded(url.username);
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  return [
    url.password,
    password,
    encodeURIComponent(password),
    base64(password),
    base64(`\0${user}\0${password}`),
  ];
}

function pathOf(address: string | null): string[] {
  const url = address === null ? null : URL.parse(address);
  if (!url) return [];
  const target = url.pathname + url.search;
  return [target, url.pathname].filter((text) => text.length > shortestPath);
}

/** `/hook` opens nothing and stands in too many other texts. */
const shortestPath = 12;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
