import { iconPath } from "#contracts/icons.ts";

/** The links of a page's head to its icons. */
export function iconLinks(logo: string | undefined) {
  if (!logo) {
    return [
      { rel: "icon", href: iconPath.classic, sizes: "32x32" },
      { rel: "icon", href: iconPath.vector, type: "image/svg+xml" },
      { rel: "apple-touch-icon", href: iconPath.appleTouch },
    ];
  }
  const icon = { rel: "icon", href: logo };
  return logo.endsWith("png") ? [icon, { rel: "apple-touch-icon", href: logo }] : [icon];
}
