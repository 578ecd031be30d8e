// The router needs a module a page, and one year is a part of all of them.
export { default, headers, loader, meta } from "./newsletter-all.tsx";
