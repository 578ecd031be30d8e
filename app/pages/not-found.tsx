import { data } from "react-router";
import { notFound } from "#content/pages/not-found.ts";
import { NotFound } from "../sections/error-pages.tsx";
import { metaOf } from "../seo/page-meta.ts";

export function loader() {
  return data(null, { status: 404 });
}

export const meta = metaOf({ ...notFound.head, noIndex: true });

export default function NotFoundPage() {
  return <NotFound />;
}
