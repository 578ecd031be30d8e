import type { MissingSetting } from "#newsletter/sends/send-issue.ts";
import { ownersSettings } from "#settings/owner-settings.ts";

/** Without which setting nothing may go out, and where it is set, in an owner's words. */
export function missingWords({ setting, why }: MissingSetting): string {
  if (setting === "SITE_URL") {
    return `The site has no address of its own yet: ${why}. Going live gives it one.`;
  }
  return `“${ownersSettings[setting]}” is not set, under Settings: ${why}.`;
}
