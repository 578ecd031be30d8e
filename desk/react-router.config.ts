import type { Config } from "@react-router/dev/config";

export default {
  appDirectory: ".",
  buildDirectory: `../${process.env.BUILD_FOLDER ?? "build"}/desk`,
  routeDiscovery: { mode: "initial" },
} satisfies Config;
