/** Where the published figures come from: who, what, when, and where to read it. */
export const sources = {
  nucleusMarketingAutomation: {
    publisher: "Nucleus Research",
    title: "Marketing automation returns $5.44 for every dollar spent",
    year: 2021,
    detail: "over the first three years",
    url: "https://nucleusresearch.com/research/single/marketing-automation-returns-5-44-for-every-dollar-spent/",
  },
  velocifyFirstMinute: {
    publisher: "Velocify",
    title: "The Ultimate Contact Strategy",
    year: 2012,
    detail: "3.5 million leads, a call within the first minute",
    url: null,
  },
  harvardShortLife: {
    publisher: "Harvard Business Review",
    title: "The Short Life of Online Sales Leads",
    year: 2011,
    detail: "contact within an hour against an hour later",
    url: "https://hbr.org/2011/03/the-short-life-of-online-sales-leads",
  },
  demandMetricBlog: {
    publisher: "Demand Metric",
    title: "A Guide to Marketing Genius: Content Marketing",
    year: 2013,
    detail: "companies that publish a blog against those that don’t",
    url: null,
  },
  mckinseyGenerativeAi: {
    publisher: "McKinsey Global Institute",
    title: "The economic potential of generative AI: The next productivity frontier",
    year: 2023,
    detail: "technology could automate activities that take 60–70% of employees’ time",
    url: "https://www.mckinsey.com/capabilities/mckinsey-digital/our-insights/the-economic-potential-of-generative-ai-the-next-productivity-frontier",
  },
} as const satisfies Record<string, Source>;

export type Source = {
  publisher: string;
  title: string;
  year: number;
  detail: string;
  /** Null where no lasting public address is known. */
  url: string | null;
};

export type SourceId = keyof typeof sources;
