import { createContext, useContext } from "react";

type PageScripts = {
  /** See server/document.ts. */
  nonce: string | undefined;
  alive: string;
};

export const PageScriptsContext = createContext<PageScripts>({ nonce: undefined, alive: "" });

export function InlineScript({ code, ...data }: { code: string; "data-alive"?: string }) {
  const { nonce } = useContext(PageScriptsContext);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: code of our own.
  return <script nonce={nonce} {...data} dangerouslySetInnerHTML={{ __html: code }} />;
}
