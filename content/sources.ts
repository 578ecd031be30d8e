/** The sources of the published figures. */
export const sources = {
  nucleusMarketingAutomation: {
    publisher: "Nucleus Research",
    title: "Marketing automation returns $5.44 for every dollar spent",
    year: null,
    detail: "over the first three years",
    url: "https://nucleusresearch.com/research/single/marketing-automation-returns-5-44-for-every-dollar-spent/",
  },
  velocifyFirstMinute: {
    publisher: "Velocify",
    title: "The Ultimate Contact Strategy",
    year: null,
    detail: "almost 3.5 million leads, a call within the first minute compared with a later one",
    url: null,
  },
  harvardShortLife: {
    publisher: "Harvard Business Review",
    title: "The Short Life of Online Sales Leads",
    year: 2011,
    detail:
      "nearly seven times, contact within an hour compared with an hour later, 1.25 million leads",
    url: "https://hbr.org/2011/03/the-short-life-of-online-sales-leads",
  },
  demandMetricBlog: {
    publisher: "Demand Metric",
    title: "Content Marketing Infographic",
    year: 2013,
    detail:
      "companies that publish a blog compared with those that don’t; HubSpot measured the same 67% among its customers in 2010",
    url: "https://www.demandmetric.com/content/content-marketing-infographic",
  },
  mckinseyGenerativeAi: {
    publisher: "McKinsey Global Institute",
    title: "The economic potential of generative AI: The next productivity frontier",
    year: 2023,
    detail: "technology could automate activities that take 60-70% of employees’ time",
    url: "https://www.mckinsey.com/capabilities/mckinsey-digital/our-insights/the-economic-potential-of-generative-ai-the-next-productivity-frontier",
  },
  generativeAiAtWork: {
    publisher: "The Quarterly Journal of Economics",
    title: "Generative AI at Work",
    year: 2025,
    detail: "5,172 customer-support agents, issues resolved per hour",
    url: "https://doi.org/10.1093/qje/qjae044",
  },
  statisticsCanadaAi: {
    publisher: "Statistics Canada",
    title:
      "Analysis on artificial intelligence use by businesses in Canada, second quarter of 2025",
    year: 2025,
    detail: "businesses that used AI in the 12 months before the survey",
    url: "https://www150.statcan.gc.ca/n1/pub/11-621-m/11-621-m2025008-eng.htm",
  },
} as const satisfies Record<string, Source>;

type Source = {
  publisher: string;
  title: string;
  /** Null if the publication has no date. */
  year: number | null;
  detail: string;
  /** Null if it has no lasting public address. */
  url: string | null;
};

export type SourceId = keyof typeof sources;
