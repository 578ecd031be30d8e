import { createContext, useContext } from "react";

type PageScripts = {
  /** Marks what the site itself wrote inline (server/document.ts). */
  nonce: string | undefined;
  /** The address of the script that brings the page alive. */
  alive: string;
};

export const PageScriptsContext = createContext<PageScripts>({ nonce: undefined, alive: "" });

/** A script that runs as soon as it is read. `code` is the site's own. */
export function InlineScript({ code, ...data }: { code: string; "data-alive"?: string }) {
  const { nonce } = useContext(PageScriptsContext);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: code of our own.
  return <script nonce={nonce} {...data} dangerouslySetInnerHTML={{ __html: code }} />;
}
