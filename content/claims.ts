/**
 * The figures that the site shows, once each. A figure that somebody published names its source in content/sources.ts;
 * the others are the firm's own results.
 */
export const claims = {
  hoursSavedMonthly: "120+ hours",
  businesses: "50+ GTA businesses",
  auditReturn: "10x+ ROI",
  roadmap: "90-day roadmap",
  subscribers: "1,000+",
} as const;
