import { engineNames, openTab } from "#tests/engines/open-tab.ts";
import { type Tab, until } from "#tests/engines/tab.ts";
import { median, startBuiltServer } from "./built-server.ts";
import type { Table } from "./report.ts";

const runs = process.argv.includes("--quick") ? 3 : 5;
const from = "/";
const to = "/pricing";
/** At the page's foot, so that the way back has a place to lead to. */
const link = `footer a[href='${to}']`;

type Visit = { paintMs: number; isFromServer: boolean; isAsNew: boolean; isBack: boolean };

/** From the press on a link to the next page's first paint, in three engines, with the page fetched ahead and without. */
export async function navigation(): Promise<Table> {
  const server = await startBuiltServer();
  const rows: string[][] = [];
  try {
    for (const engine of engineNames) {
      const visits: Visit[][] = [[], []];
      for (let run = 0; run < runs; run += 1) {
        for (const [index, isAhead] of [true, false].entries()) {
          // Firefox's driver opens no further page after a way back.
          const tab = await openTab(engine);
          await tab.resize(1440);
          visits[index]?.push(await follow(tab, server.url, isAhead).finally(tab.close));
        }
      }
      const [ahead = [], other = []] = visits;
      const paint = (all: Visit[]) => median(all.map(({ paintMs }) => paintMs)).toFixed(0);
      const share = (all: Visit[], name: keyof Visit) =>
        `${all.filter((visit) => visit[name]).length} of ${all.length}`;
      const all = [...ahead, ...other];
      const row = [
        engine,
        paint(ahead),
        share(ahead, "isFromServer"),
        paint(other),
        share(all, "isAsNew"),
        share(all, "isBack"),
      ];
      console.log(row.join("  "));
      rows.push(row);
    }
  } finally {
    await server.stop();
  }
  return {
    title: "From a press on a link to the next page",
    note: `Milliseconds from the press to the next page's first paint, median of ${runs}, in turns, on the machine's own speed. To hold: 100 where the page was fetched ahead. WebKit's windows for tests keep nothing that they have fetched.`,
    columns:
      "engine|fetched ahead|asked the server at the press|not fetched ahead|new title, top of the page, focus on nothing|Back lands where one was".split(
        "|",
      ),
    rows,
  };
}

async function follow(tab: Tab, origin: string, isAhead: boolean): Promise<Visit> {
  await tab.open(origin + from);
  const title = await tab.run(() => document.title);
  await tab.run((saveData: boolean) => {
    Object.defineProperty(navigator, "connection", { value: { saveData }, configurable: true });
    addEventListener(
      "pointerdown",
      ({ timeStamp }) => {
        sessionStorage.setItem("pressed", `${performance.timeOrigin + timeStamp}`);
        sessionStorage.setItem("place", `${scrollY}`);
      },
      true,
    );
  }, !isAhead);
  // The pointer rests where the last press was, and tells of a link only when it comes to it.
  await tab.hover("h1");
  await tab.hover(link);
  const isFetched = (path: string) =>
    performance.getEntriesByType("resource").some(({ name }) => name.endsWith(path));
  if (isAhead && !(await until(() => tab.run(isFetched, to))))
    throw new Error(`${to} wasn't fetched ahead.`);
  await tab.click(link);
  const read = () =>
    tab.run(
      (path: string, former: string) => {
        const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
        const [paint] = performance.getEntriesByName("first-contentful-paint");
        if (location.pathname !== path || !paint || !visit?.loadEventEnd) return null;
        const pressed = Number(sessionStorage.getItem("pressed"));
        const isPlain = scrollY === 0 && document.activeElement === document.body;
        return {
          paintMs: performance.timeOrigin + paint.startTime - pressed,
          isFromServer: visit.transferSize > 0,
          isAsNew: isPlain && document.title !== former,
        };
      },
      to,
      title,
    );
  // Asked between two documents, an engine may answer with an error.
  const visit = await until(() => read().catch(() => null));
  if (!visit) throw new Error(`${to} wasn't painted.`);
  await tab.run(() => void setTimeout(() => history.back()));
  const isBack = await until(() =>
    tab
      .run(
        (path: string) =>
          location.pathname === path &&
          document.readyState === "complete" &&
          Math.abs(scrollY - Number(sessionStorage.getItem("place"))) < 2,
        from,
      )
      .catch(() => false),
  );
  return { ...visit, isBack: Boolean(isBack) };
}
