import { index, type RouteConfig, route } from "@react-router/dev/routes";

export default [
  index("pages/today.tsx"),
  route("messages", "pages/messages.tsx"),
  route(":what/export.csv", "pages/export.ts"),
  route("messages/:id", "pages/message.tsx"),
  route("settings", "pages/settings.tsx"),
] satisfies RouteConfig;
