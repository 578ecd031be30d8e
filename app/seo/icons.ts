export const iconPath = {
  vector: "/favicon.svg",
  classic: "/favicon.ico",
  appleTouch: "/apple-touch-icon.png",
  small: "/icon-192.png",
  large: "/icon-512.png",
  maskable: "/icon-maskable-512.png",
} as const;

/** Where the firm's own logo is, if it has set one. */
export function logoPath(type: "svg" | "png"): string {
  return `/logo.${type}`;
}

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
