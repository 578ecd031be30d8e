import { defineConfig } from "@playwright/test";
import { findChromium, findFirefox, findWebKit } from "./scripts/browsers.ts";
import { postgresProject } from "./tests/databases/playwright-setup.ts";
import type { DatabaseKind } from "./tests/databases/site-databases.ts";
import type { EngineName } from "./tests/engines/open-tab.ts";
import { patienceMs } from "./tests/patience.ts";

const chromiumPath = process.env.CHROMIUM_PATH ?? findChromium();

/** Everything in Chromium; in each of the other engines that the machine has, what may differ there. */
const otherEngines = [
  ...(findFirefox() ? [engineProject("firefox")] : []),
  ...(findWebKit() ? [engineProject("webkit")] : []),
];

function engineProject(engine: EngineName) {
  return { name: engine, testMatch: "engines/*.spec.ts", use: { engine } };
}

/**
 * On PostgreSQL too: tests with this tag, a way through the site and the desk. What the statements do on both databases, the
 * unit tests ask. SITE_DATABASE=postgres has everything run there.
 */
const onPostgres = /@postgres/;

export default defineConfig<object, { engine: EngineName; database: DatabaseKind }>({
  testDir: "tests",
  globalSetup: "./tests/databases/playwright-setup.ts",
  // The longest files come first, and many short ones last: a long one that began last would keep the other workers waiting.
  projects: [
    ...otherEngines,
    {
      name: postgresProject,
      grep: onPostgres,
      testMatch: "**/*.spec.ts",
      use: { database: "postgres" },
    },
    { name: "chromium", testMatch: "**/*.spec.ts", testIgnore: "tests/engines/**" },
  ],
  outputDir: "test-results",
  // Node runs the project's TypeScript by itself, and keeps what it has compiled for the next process.
  build: { external: ["**/*.ts"] },
  fullyParallel: false,
  forbidOnly: true,
  // A test that passes on its second try hides what failed on the first.
  retries: 0,
  // Two more work while others wait for a server or a clock, and go on when the unit tests beside them are over.
  workers: 4,
  // Both are for a machine that does something else; what comes, comes long before.
  timeout: 240_000,
  expect: { timeout: patienceMs },
  reporter: [["list"]],
  reportSlowTests: { max: 12, threshold: 20_000 },
  use: {
    browserName: "chromium",
    locale: "en-CA",
    timezoneId: "America/Toronto",
    // Lines that draw themselves are a tenth of what the tests have to do. Where something moves that is used, a file has
    // `test.use({ reducedMotion: "no-preference" })`: notices, menus, the paper, printing.
    reducedMotion: "reduce",
    // Recording every test takes as long as the tests; `--trace retain-on-failure` does it when one fails.
    trace: "off",
    launchOptions: {
      ...(chromiumPath ? { executablePath: chromiumPath } : {}),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        // Chromium without a window makes every letter whole pixels wide otherwise, which breaks lines as no visitor sees them.
        "--font-render-hinting=none",
      ],
    },
  },
});
