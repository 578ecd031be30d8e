import { locality, region } from "./site.ts";

/** The firm's data for search engines, beside its settings (specification, sections 3 and 9). */
export const business = {
  locality,
  region,
  country: "CA",
  serviceArea: "Greater Toronto Area",
  services: {
    name: "Business-process and AI automation",
    items: [
      {
        name: "Free line-by-line workflow consultation",
        description:
          "A 30-minute discovery call: you walk us through the week line by line, and we tell you which hours are worth going after.",
        priceCad: 0,
      },
      {
        name: "Trade Automation Audit",
        description:
          "A one-month audit that ends in a 90-day automation roadmap. The client sets the price after delivery.",
        priceCad: null,
      },
      {
        name: "Automation Partnership (Implementation & Scale)",
        description:
          "Build, scaling and ongoing support after the audit, by custom quote based on the assessment.",
        priceCad: null,
      },
    ],
  },
} as const;
