import { readFileSync } from "node:fs";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig, minifySync, type Plugin } from "vite";

/** The router runs on the server alone: its plugin would build every page for the browser too. */
function noRoutesInBrowser(): Plugin {
  return {
    name: "no-routes-in-browser",
    enforce: "post",
    applyToEnvironment: ({ name }) => name === "client",
    transform: (_, id) =>
      id.endsWith("?__react-router-build-client-route") ? { code: "export {};", map: null } : null,
  };
}

/** `file.js?inline` is the file's text, minified. */
function inlineScripts(): Plugin {
  return {
    name: "inline-scripts",
    enforce: "pre",
    load(id) {
      if (!id.endsWith(".js?inline")) return;
      const file = id.replace("?inline", "");
      const { code } = minifySync(file, readFileSync(file, "utf8"));
      return `export default ${JSON.stringify(code.trim())};`;
    },
  };
}

export default defineConfig({
  plugins: [reactRouter(), noRoutesInBrowser(), inlineScripts()],
  build: {
    target: "esnext",
    // The oldest engines of docs/browsers.md. Without them the minifier writes shorthands that WebKit refuses.
    cssTarget: ["chrome131", "firefox128", "safari18"],
    modulePreload: { polyfill: false },
    // The fonts' few rare letters would otherwise travel with every page's styles.
    assetsInlineLimit: 0,
  },
  environments: {
    // The server build's entry is one plain function, so that the server shares no module identity with it.
    ssr: { build: { rollupOptions: { input: "./app/site.ts" } } },
  },
});
