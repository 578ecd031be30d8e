import { defineConfig } from "vitest/config";

// A config of its own: the tests run the sources as Node does, without the site's build plugins.
export default defineConfig({
  test: {
    include: ["**/*.test.ts", "**/*.test.tsx"],
    exclude: ["node_modules/**", "build/**", "data/**"],
    // The suites start real databases and mail servers, so more workers than this only take turns.
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
