import { createContext, useContext } from "react";

type PageScripts = {
  /** See server/document.ts. */
  nonce: string | undefined;
  alive: string;
};

export const PageScriptsContext = createContext<PageScripts>({ nonce: undefined, alive: "" });

type InlineScriptProps = { code: string; type?: "speculationrules"; "data-alive"?: string };

export function InlineScript({ code, ...data }: InlineScriptProps) {
  const { nonce } = useContext(PageScriptsContext);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: code of our own.
  return <script nonce={nonce} {...data} dangerouslySetInnerHTML={{ __html: code }} />;
}
