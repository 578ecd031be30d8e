import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [reactRouter()],
  build: {
    target: "esnext",
    // The oldest engines of docs/browsers.md. Without them the minifier writes shorthands that WebKit refuses.
    cssTarget: ["chrome131", "firefox128", "safari18"],
    modulePreload: { polyfill: false },
    // The fonts' few rare letters would otherwise travel with every page's styles.
    assetsInlineLimit: 0,
  },
  environments: {
    client: {
      build: {
        rollupOptions: {
          output: {
            // What several pages share is one file for them all: left alone, the bundler makes twenty files a page.
            codeSplitting: {
              groups: [{ name: "shared", minShareCount: 4, test: /\.[mc]?[jt]sx?$/ }],
            },
          },
        },
      },
    },
    // The server build's entry is one plain function, so that the server shares no module identity with it.
    ssr: { build: { rollupOptions: { input: "./app/site.ts" } } },
  },
});
