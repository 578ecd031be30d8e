import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";

export default defineConfig({
  // The desk also serves the site's own files, below /assets, for the preview of a page.
  base: "/desk/",
  plugins: [reactRouter()],
  build: {
    target: "esnext",
    assetsInlineLimit: 0,
    cssTarget: ["chrome131", "firefox128", "safari18"],
  },
  environments: {
    ssr: {
      // A browser's, which a release doesn't install.
      resolve: { noExternal: ["@simplewebauthn/browser"] },
      build: {
        rollupOptions: {
          input: "./desk.ts",
          // Features stay modules of their own, so that Node loads them once for the desk and its commands.
          external: /^#(?!app\/|desk\/).*\.ts$/,
        },
      },
    },
  },
});
