import { ownersSettings } from "#operator/owner-settings.ts";
import { describeMissingSetting } from "#operator/plan-words.ts";
import type { MissingSetting } from "#operator/send-issue.ts";

/** `“Mail server” is not set: …`, by the name that the setting has in its form. */
export function missingWords(missing: MissingSetting): string {
  const label = Object.entries(ownersSettings).find(([name]) => name === missing.setting)?.[1];
  const words = describeMissingSetting(missing);
  return label ? words.replace(missing.setting, `“${label}”`) : words;
}
