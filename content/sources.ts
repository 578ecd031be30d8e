export const sources = {
  /** Over the first three years. */
  nucleusMarketingAutomation: {
    publisher: "Nucleus Research",
    title: "Marketing automation returns $5.44 for every dollar spent",
    year: null,
    url: "https://nucleusresearch.com/research/single/marketing-automation-returns-5-44-for-every-dollar-spent/",
  },
  /** Almost 3.5 million leads, a call within the first minute compared with a later one. */
  velocifyFirstMinute: {
    publisher: "Velocify",
    title: "The Ultimate Contact Strategy",
    year: null,
    url: null,
  },
  /** Nearly seven times, contact within an hour compared with an hour later, 1.25 million leads. */
  harvardShortLife: {
    publisher: "Harvard Business Review",
    title: "The Short Life of Online Sales Leads",
    year: 2011,
    url: "https://hbr.org/2011/03/the-short-life-of-online-sales-leads",
  },
  /** Companies that publish a blog compared with those that don’t; HubSpot measured the same 67% among its customers in 2010. */
  demandMetricBlog: {
    publisher: "Demand Metric",
    title: "Content Marketing Infographic",
    year: 2013,
    url: "https://www.demandmetric.com/content/content-marketing-infographic",
  },
  /** Technology could automate activities that take 60-70% of employees’ time. */
  mckinseyGenerativeAi: {
    publisher: "McKinsey Global Institute",
    title: "The economic potential of generative AI: The next productivity frontier",
    year: 2023,
    url: "https://www.mckinsey.com/capabilities/mckinsey-digital/our-insights/the-economic-potential-of-generative-ai-the-next-productivity-frontier",
  },
  /** 5,172 customer-support agents, issues resolved per hour. */
  generativeAiAtWork: {
    publisher: "The Quarterly Journal of Economics",
    title: "Generative AI at Work",
    year: 2025,
    url: "https://doi.org/10.1093/qje/qjae044",
  },
} as const satisfies Record<string, Source>;

type Source = {
  publisher: string;
  title: string;
  /** Null if the publication has no date. */
  year: number | null;
  /** Null if it has no lasting public address. */
  url: string | null;
};

export type SourceId = keyof typeof sources;
