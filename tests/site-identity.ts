import type { SiteIdentity } from "#content/site-settings.ts";

export const testSite: SiteIdentity = {
  url: "https://chalkline.example",
  name: "Chalkline",
  email: "hello@chalkline.example",
  phone: "+1 416 555 0142",
  street: "100 Example Street",
  postalCode: "M5V 0A0",
  accent: "#1f4fd8",
};
