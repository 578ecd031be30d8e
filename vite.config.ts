import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  environments: {
    // The server build's entry is one plain function, so that the server shell shares no module identity with it.
    ssr: { build: { rollupOptions: { input: "./app/site.ts" } } },
  },
});
