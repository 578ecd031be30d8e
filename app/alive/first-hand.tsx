import { useContext } from "react";
import firstHand from "./first-hand.js?inline";
import { InlineScript, PageScriptsContext } from "./inline-script.tsx";

/** The development server asks for React's hot reload, which pieces without a route can't have. */
const withoutHotReload =
  "window.__vite_plugin_react_preamble_installed__=true;$RefreshReg$=()=>{};$RefreshSig$=()=>(type)=>type;";

export function FirstHand() {
  const { alive } = useContext(PageScriptsContext);
  const code = import.meta.env.DEV ? withoutHotReload + firstHand : firstHand;
  return <InlineScript code={code} data-alive={alive} />;
}
