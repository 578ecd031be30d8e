import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["**/*.test.{ts,tsx}"],
    exclude: ["**/node_modules/**", "build/**", "data/**"],
    environment: "node",
    // Two workers leave a small machine room for the PostgreSQL server that the suites share.
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    globalSetup: ["tests/databases/global-setup.ts"],
  },
});
