export const iconPath = {
  vector: "/favicon.svg",
  classic: "/favicon.ico",
  appleTouch: "/apple-touch-icon.png",
  small: "/icon-192.png",
  large: "/icon-512.png",
  maskable: "/icon-maskable-512.png",
} as const;

/** The same logo as `public/favicon.svg`. */
export const logoSvg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 30"><rect width="30" height="30" rx="3" fill="#101a2b"/><path d="M4 21 26 9" stroke="#ff6b1a" stroke-width="3"/><circle cx="4.8" cy="20.6" r="2.6" fill="#eef2e9"/><circle cx="25.2" cy="9.4" r="2.6" fill="#eef2e9"/></svg>';
