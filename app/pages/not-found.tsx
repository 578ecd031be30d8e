import { data } from "react-router";
import { notFound } from "#content/pages/not-found.ts";
import { NotFound } from "../sections/error-pages.tsx";
import { pageMeta, rootFacts } from "../seo/page-meta.ts";
import type { Route } from "./+types/not-found";

export function loader() {
  return data(null, { status: 404 });
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ ...notFound.head, noIndex: true }, rootFacts(matches).settings);
}

export default function NotFoundPage() {
  return <NotFound />;
}
