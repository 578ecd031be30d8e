import type { Config } from "@react-router/dev/config";

export default {
  appDirectory: "app",
  // A build that fails leaves the last one alone (scripts/prepare.mjs).
  buildDirectory: process.env.BUILD_FOLDER ?? "build",
  // Every route is known from the first page on: eighteen short entries weigh less than one request to discover them.
  routeDiscovery: { mode: "initial" },
  // The one `clientLoader` is small: a file of its own would be one more request.
  splitRouteModules: false,
} satisfies Config;
