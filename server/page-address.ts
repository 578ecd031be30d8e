import { missingPage, pages, type SitePage } from "#pages.ts";

/** What a page's address leads to. */
export type PageAddress = {
  page: SitePage;
  /** Whether the router in the browser asks for the page's data alone. */
  isData: boolean;
  /** The address that the page is rendered for and cached by; null if the page is for one visitor alone. */
  key: string | null;
  /** An answer with another status isn't cached. */
  status: 200 | 404;
  /** The issue whose body it shows. */
  issueId: number | null;
  /** The page to answer with if this one doesn't exist. */
  ifMissing: PageAddress | null;
};

/** Other spellings (capitals, a slash at the end) redirect; every other address is the missing page. */
type Found = PageAddress | { redirectTo: string };

/** No varying part of an address can be this, so it stands for what doesn't exist. */
const nothing = "0";
const dataEnding = ".data";

const fixedPages = new Map(
  pages.filter(({ varies }) => varies?.by !== "path").map((page) => [page.path, page]),
);
const varyingPages = pages.flatMap((page) =>
  page.varies?.by === "path"
    ? [{ page, form: page.varies.form, start: page.path.replace(/:\w+$/, "") }]
    : [],
);

export function findPage({ pathname, search }: { pathname: string; search: string }): Found {
  const found = pageAt(pathname);
  if (found) return withQuery(found, search);
  const canonical = pathname.toLowerCase().replace(/(.)\/+$/, "$1");
  if (canonical !== pathname && pageAt(canonical)) return { redirectTo: canonical + search };
  return unknownPage(pathname);
}

function pageAt(pathname: string): PageAddress | null {
  const { path, isData } = withoutDataEnding(pathname);
  const fixed = fixedPages.get(path);
  if (fixed && !(isData && fixed.kind === "file")) return addressOf(fixed, pathname, isData);
  for (const { page, form, start } of varyingPages) {
    const part = path.startsWith(start) ? path.slice(start.length) : "";
    if (form.test(part))
      return varyingAddress(page, isData, part, (said) => dataPath(start + said, isData));
  }
  return null;
}

/** The site's missing page, or the one of issues or years. Each is rendered once. */
function unknownPage(pathname: string): PageAddress {
  const { path, isData } = withoutDataEnding(pathname);
  const room = varyingPages.find(
    ({ start }) => path.startsWith(start) && !path.slice(start.length).includes("/"),
  );
  return room
    ? { ...addressOf(room.page, dataPath(room.start + nothing, isData), isData), status: 404 }
    : addressOf(missingPage, dataPath("/no-such-page", isData), isData);
}

function addressOf(page: SitePage, key: string, isData: boolean): PageAddress {
  return { page, isData, key, status: page.status, issueId: null, ifMissing: null };
}

function varyingAddress(
  page: SitePage,
  isData: boolean,
  part: string,
  keyOf: (part: string) => string,
): PageAddress {
  const missing: PageAddress = { ...addressOf(page, keyOf(nothing), isData), status: 404 };
  if (!page.varies?.form.test(part)) return missing;
  return {
    ...addressOf(page, keyOf(part), isData),
    status: 200,
    issueId: page.showsIssueBody ? Number(part) : null,
    ifMissing: isData ? null : missing,
  };
}

/** Parameters that the page doesn't know make no other page of it. */
function withQuery(address: PageAddress, search: string): PageAddress {
  if (search === "") return address;
  const { page, isData } = address;
  const asked = new URLSearchParams(search);
  if (page.ownParameters?.some((name) => asked.get(name))) return { ...address, key: null };
  const known = new URLSearchParams();
  const routeId = page.file.replace(/\.\w+$/, "");
  const isForLeaf = isData && asked.get("_routes") === routeId;
  const keyWith = (parameter?: string, part = "") => {
    if (parameter) known.set(parameter, part);
    if (isForLeaf) known.set("_routes", routeId);
    return known.size > 0 ? `${address.key}?${known}` : (address.key ?? "");
  };
  const parameter = page.varies?.by === "query" ? page.varies.parameter : "";
  const value = parameter && asked.get(parameter);
  if (!value) return { ...address, key: keyWith() };
  return varyingAddress(page, isData, value, (part) => keyWith(parameter, part));
}

function withoutDataEnding(pathname: string): { path: string; isData: boolean } {
  if (!pathname.endsWith(dataEnding)) return { path: pathname, isData: false };
  const path = pathname.slice(0, -dataEnding.length);
  // The router's address for the data of the home page.
  return { path: path === "/_" ? "/" : path, isData: true };
}

function dataPath(path: string, isData: boolean): string {
  return isData ? path + dataEnding : path;
}
