import { index, type RouteConfig, route } from "@react-router/dev/routes";
import { missingPage, pages } from "../pages.ts";

export default [...pages, missingPage].map(({ path, file }) =>
  path === "/" ? index(file) : route(path.replace(/^\//, ""), file),
) satisfies RouteConfig;
