import path from "node:path";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";

/** A module's place in the project, whatever the folder is called that the project stands in. */
function placeOf(id: string): string {
  return path.relative(import.meta.dirname, id).replaceAll(path.sep, "/");
}

/**
 * Modules that more than one page uses. Scripts, and the addresses of styles that come late: other styles stay with their
 * pages, where they are inlined.
 */
function shared(name: string, folders: string, priority: number) {
  const place = new RegExp(`^(?:${folders}).*\\.(?:[mc]?[jt]sx?|css\\?url)$`);
  return { name, test: (id: string) => place.test(placeOf(id)), priority, minShareCount: 2 };
}

/**
 * Few files, each of what is used together: React, the router and what most pages have is one; what only some pages
 * have is another each. Left alone, the bundler makes twenty files of a page; docs/performance.md has the figures.
 */
const groups = [
  shared(
    "forms",
    "node_modules/@supabase/|node_modules/tslib/|app/forms/|app/newsletter/sign-up/su|app/backend-client|app/ui/field|content/(?:consent|notices|subscribe-form)",
    20,
  ),
  shared(
    "newsletter",
    "app/newsletter/(?!feeds/|late/.*css)|app/drawings/dot-matrix|content/pages/newsletter",
    20,
  ),
  shared("all-issues", "app/newsletter/archive/all-issues|content/pages/all-issues", 30),
  shared("mail-links", "app/newsletter/mail-links/|content/pages/mail-links", 30),
  shared(
    "use-case",
    "app/sections/use-case/|app/worksheet/calculation-sheet|app/drawings/(?:use-cases/|roadmap)|content/sources",
    20,
  ),
  shared("price", "app/worksheet/written-price|content/written-price", 30),
  shared("pens", "app/drawings/pens", 30),
  shared("scenery", "app/drawings/(?:scenery|lead-intake)", 30),
  shared("worksheet", "app/worksheet/|content/worksheet", 20),
  shared("legal", "app/sections/legal/", 20),
  shared("pager", "app/ui/pager", 30),
  shared("reach", "app/ui/phone-link", 30),
  { name: "frame", test: isForManyPages, priority: 10 },
];

/** The pages that lead to a module; the root and the start in the browser, which stand for every page, by that name. */
const usersOf = new Map<string, Set<string>>();
const everyPage = "every page";

/** What each page needs, and what several pages share and no group above has taken. */
function isForManyPages(id: string) {
  const isKept = /\.(?:[mc]?[jt]sx?|woff2|css\?(?:url|transform-only))(?:\?|$)/.test(id);
  if (!isKept || placeOf(id).startsWith("app/entry.client")) return false;
  const users = usersOf.get(id);
  return users !== undefined && (users.size >= 2 || users.has(everyPage));
}

const hashedNames = {
  entryFileNames: "assets/[name]-[hash:6].js",
  chunkFileNames: "assets/[name]-[hash:6].js",
  assetFileNames: "assets/[name]-[hash:6][extname]",
};

/** Chunks may export more than a page's own names, so that pages can share them; React Router asks for less. */
const sharedChunks: Plugin = {
  name: "shared-chunks",
  buildEnd() {
    if (this.environment.name !== "client") return;
    usersOf.clear();
    for (const entry of [...this.getModuleIds()].filter((id) => this.getModuleInfo(id)?.isEntry)) {
      // A page's loader in the browser is an entry of its own beside the page.
      const [file = ""] = entry.split("?");
      const user = /^app\/(?:root|entry\.client)\.tsx$/.test(placeOf(file)) ? everyPage : file;
      const reached = new Set([entry]);
      for (const id of reached) {
        usersOf.set(id, (usersOf.get(id) ?? new Set()).add(user));
        for (const imported of this.getModuleInfo(id)?.importedIds ?? []) reached.add(imported);
      }
    }
  },
  configEnvironment(name) {
    if (name !== "client") return {};
    return {
      build: {
        rollupOptions: {
          preserveEntrySignatures: "allow-extension",
          treeshake: { propertyReadSideEffects: false },
          output: {
            codeSplitting: { includeDependenciesRecursively: false, groups },
            // Each page names two dozen files; 36 bits tell a file's versions apart as well as 48.
            ...hashedNames,
          },
        },
      },
    };
  },
};

export default defineConfig({
  plugins: [tailwindcss(), reactRouter(), sharedChunks],
  // Browsers of the last two years; scripts only add to pages that work without them.
  build: {
    target: "esnext",
    // The oldest engines of docs/browsers.md. Without them the minifier writes shorthands that WebKit refuses.
    cssTarget: ["chrome131", "firefox128", "safari18"],
    modulePreload: { polyfill: false },
    // The fonts' few rare letters would otherwise travel with every page's styles.
    assetsInlineLimit: 0,
  },
  environments: {
    // The server build's entry is one plain function, so that the server shell shares no module identity with it.
    ssr: {
      build: {
        rollupOptions: {
          input: "./app/site.ts",
          // Both builds name a file alike, or a page would name other files than its scripts do.
          output: { assetFileNames: hashedNames.assetFileNames },
        },
      },
    },
  },
});
