/** A scheduling provider that a firm would have, so that every booking address is one of its own. */
export const provider = {
  SCHEDULING_ASSET_HOST: "https://assets.scheduling.example",
  SCHEDULING_URL: "https://scheduling.example/firm/30min",
  SCHEDULING_CONTACT_URL: "https://scheduling.example/firm/consultation",
};
