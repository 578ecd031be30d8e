import { index, type RouteConfig, route } from "@react-router/dev/routes";
import { missingPage, pages } from "../pages.ts";

export default [...pages, missingPage].map(({ path, file, kind }) => {
  if (path === "/") return index(file);
  // One module may write several files.
  return route(path.replace(/^\//, ""), file, kind === "file" ? { id: path } : {});
}) satisfies RouteConfig;
