import type { Config } from "@react-router/dev/config";

export default {
  appDirectory: "app",
  // Every route is known from the first page on: eighteen short entries weigh less than one request to discover them.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
