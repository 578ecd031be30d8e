import { fileMaxAgeS, fileResponse } from "../seo/file-response.server.ts";
import { llmsText } from "../seo/llms-text.server.ts";
import { siteContext } from "../site-services.ts";
import type { Route } from "./+types/llms";

/** `/llms.txt`. */
export function loader({ context }: Route.LoaderArgs) {
  return fileResponse(llmsText(context.get(siteContext).settings), "text/plain", fileMaxAgeS);
}
