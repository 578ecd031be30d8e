import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";

const ofUseCases =
  /\/app\/sections\/use-case\/|\/content\/(?:use-case|sources|pages\/use-cases)\.ts$/;
const ofNewsletter =
  /\/app\/newsletter\/|\/dot-matrix\.tsx$|\/content\/(?:subscribe-form|pages\/newsletter)\.ts$/;
const ofForms = /\/(?:valibot|@supabase)\/|\/contracts\/|\/app\/forms\//;

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
            // Modules that pages share are one file: left alone, the bundler makes twenty files a page. The use cases, the
            // newsletter and the forms have one each: in the file for all, they would add 10 KB (brotli) to every page.
            codeSplitting: {
              groups: [
                { name: "use-case", minShareCount: 2, test: ofUseCases },
                { name: "newsletter", minShareCount: 2, test: ofNewsletter },
                { name: "form", priority: 1, minShareCount: 2, test: ofForms },
                {
                  name: "shared",
                  priority: 2,
                  minShareCount: 3,
                  test: (id) =>
                    /\.[mc]?[jt]sx?$/.test(id) &&
                    ![ofUseCases, ofNewsletter, ofForms].some((part) => part.test(id)),
                },
              ],
            },
          },
        },
      },
    },
    // The server build's entry is one plain function, so that the server shares no module identity with it.
    ssr: { build: { rollupOptions: { input: "./app/site.ts" } } },
  },
});
