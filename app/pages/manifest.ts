import { footer, languageTag } from "#content/site.ts";
import { iconPath } from "#contracts/icons.ts";
import { fileResponse } from "../seo/file-response.server.ts";
import { siteContext } from "../site-services.ts";
import type { Route } from "./+types/manifest";

/** `--color-paper` of app/styles/tokens.css. */
const paper = "#eef2e9";

const ownIcons = [
  { src: iconPath.vector, sizes: "any", type: "image/svg+xml" },
  { src: iconPath.small, sizes: "192x192", type: "image/png" },
  { src: iconPath.large, sizes: "512x512", type: "image/png" },
  { src: iconPath.maskable, sizes: "512x512", type: "image/png", purpose: "maskable" },
];

export function loader({ context }: Route.LoaderArgs) {
  const { name, logo } = context.get(siteContext).settings;
  const manifest = {
    id: "/",
    name,
    short_name: name,
    description: footer.description,
    lang: languageTag,
    start_url: "/",
    display: "browser",
    background_color: paper,
    theme_color: paper,
    icons: logo ? [{ src: logo, sizes: "any" }] : ownIcons,
  };
  return fileResponse(JSON.stringify(manifest), "application/manifest+json");
}
