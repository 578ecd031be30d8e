import type { OpenDatabase } from "#db/database-handle.ts";
import type { BenchTable, Measurement } from "../measurement.ts";
import { archiveRows, measureArchives } from "./growth/archive-growth.ts";
import { growthNote, growthTable } from "./growth/growth-rows.ts";
import { measurePeople, peopleRows } from "./growth/people-growth.ts";
import type { Seen } from "./growth/publish-and-remove.ts";

const archiveSizes = sizesOf("GROWTH_ISSUES", [3, 10, 100, 1_000, 10_000]);
const peopleSizes = sizesOf("GROWTH_PEOPLE", [1_000, 10_000, 100_000, 1_000_000]);

/**
 * What an archive of many issues and a list of many readers cost, beside small ones: `growth` on SQLite, and
 * `growth-postgres`. GROWTH_ISSUES and GROWTH_PEOPLE give other sizes, with commas between, or `none`.
 */
export function growthOn(kind: OpenDatabase["kind"]): Measurement {
  const database = kind === "postgres" ? "PostgreSQL" : "SQLite";
  return {
    name: kind === "postgres" ? "growth-postgres" : "growth",
    async run({ say }): Promise<BenchTable[]> {
      const tables: BenchTable[] = [];
      if (archiveSizes.length > 0) {
        say(`${database}: archives of ${archiveSizes.join(", ")} issues`);
        const archives = await measureArchives(kind, archiveSizes);
        for (const { published, removed } of archives) {
          say(`last to show what was published: ${lastPlaces(published)}`);
          say(`last to show what was removed: ${lastPlaces(removed)}`);
        }
        const title = `An archive that grows, issues of 20 KB (${database})`;
        tables.push(growthTable({ title, note: archiveNote }, archiveSizes, archiveRows(archives)));
      }
      const people = [];
      for (const count of peopleSizes) {
        say(`${database}: ${count} readers and messages`);
        people.push(await measurePeople(kind, count));
      }
      if (people.length > 0) {
        const title = `Readers and messages that grow (${database})`;
        tables.push(growthTable({ title, note: peopleNote }, peopleSizes, peopleRows(people)));
      }
      return tables;
    },
  };
}

/** Of each round: where it was seen last, or never. */
function lastPlaces(seen: Seen[]): string {
  return seen
    .map(({ everywhereMs, lastWhere }) => `${lastWhere} (${Math.round(everywhereMs)} ms)`)
    .join(", ");
}

const archiveNote = [
  "The built server in a memory group of 512 MB, one for each size, all open at once and asked in turns.",
  growthNote,
  "Not in memory: the middle of fourteen, each after the newest issue and the one that is asked for have got other titles, that one also a body which nobody has asked for, and the page's time has passed. A search shows ten results, or with three issues what it finds. Rendered anew: a form sent with nothing in it, four at a time, since every other page would be kept; the middle of three rates, as that of searches. Standstill: the longest wait of somebody who asks for a kept page every 5 ms on a connection of their own, while issues are published and removed. Everywhere: the archive, the issue under both its addresses, the page's data, both feeds, the sitemap, the search and the API; the worst of three. Disk: the database with its indexes and what pages and search are made of, on PostgreSQL without its log.",
].join(" ");

const peopleNote = [
  "The built server in a memory group of 512 MB, as many messages as readers, and the mail about both.",
  growthNote,
  "Commands are timed whole, with the start of their program. Visitors ask for pages and send both forms meanwhile, twenty and four times a second, from addresses of their own. Disk: the database with its indexes, on PostgreSQL without its log, as it is filled: there a large list is filled without indexes, and they are made afterwards.",
].join(" ");

function sizesOf(variable: string, sizes: number[]): number[] {
  const asked = process.env[variable];
  if (!asked) return sizes;
  return asked === "none" ? [] : asked.split(",").map(Number);
}
