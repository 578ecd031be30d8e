import { index, type RouteConfig, route } from "@react-router/dev/routes";
import { missingPage, pages } from "../pages.ts";

// One module may answer at several addresses.
export default [...pages, missingPage].map(({ path, file }) =>
  path === "/" ? index(file, { id: path }) : route(path.replace(/^\//, ""), file, { id: path }),
) satisfies RouteConfig;
