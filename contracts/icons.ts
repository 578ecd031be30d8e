export const iconPath = {
  vector: "/favicon.svg",
  classic: "/favicon.ico",
  appleTouch: "/apple-touch-icon.png",
  small: "/icon-192.png",
  large: "/icon-512.png",
  maskable: "/icon-maskable-512.png",
} as const;

export function logoPath(type: "svg" | "png"): string {
  return `/logo.${type}`;
}
