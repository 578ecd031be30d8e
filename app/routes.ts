import { index, type RouteConfig, route } from "@react-router/dev/routes";
import { missingPage, pages } from "../pages.ts";

export default [...pages, missingPage].map(({ path, file }) =>
  path === "/" ? index(file, { id: path }) : route(path.replace(/^\//, ""), file, { id: path }),
) satisfies RouteConfig;
