import { index, type RouteConfig, route } from "@react-router/dev/routes";

export default [
  index("pages/today.tsx"),
  route("messages", "pages/messages.tsx"),
  route(":what/export.csv", "pages/export.ts"),
  route("messages/:id", "pages/message.tsx"),
  route("issues", "pages/issues.tsx"),
  route("issues/:id", "pages/issue.tsx"),
  route("issues/drafts/:draft", "pages/editor.tsx"),
  route("issues/drafts/:draft/plan", "pages/plan.tsx"),
  route("issues/drafts/:draft/save", "pages/save.ts"),
  route("issues/drafts/:draft/pictures", "pages/pictures.ts"),
  route("issues/drafts/:draft/preview/:kind", "pages/preview.ts"),
  route("subscribers", "pages/subscribers.tsx"),
  route("subscribers/import/:key?", "pages/import.tsx"),
  route("subscribers/:id/evidence.json", "pages/evidence.ts"),
  route("subscribers/:id", "pages/subscriber.tsx"),
  route("numbers", "pages/numbers.tsx"),
  route("sends/:id", "pages/send.tsx"),
  route("words/:name?", "pages/words.tsx"),
  route("settings", "pages/settings.tsx"),
] satisfies RouteConfig;
