/** Figures that several pages show, without a published source (content/claims.ts). */
export const headlineFigures = {
  hoursSavedMonthly: "120+ hours",
  businesses: "50+ GTA businesses",
  /** The same, where the strip beside it names the GTA. */
  businessesShort: "50+ businesses",
  /** The same figure in the specification's other words. */
  localBusinesses: "50+ local businesses",
  manyBusinesses: "hundreds of businesses",
  auditReturn: "10x+ ROI",
  subscribers: "1,000+",
} as const;
