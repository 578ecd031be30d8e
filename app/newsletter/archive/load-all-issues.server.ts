import { allIssues } from "#content/pages/all-issues.ts";
import { newsletter } from "#content/pages/newsletter.ts";
import type { AllIssues, RegisterYear } from "./all-issues.ts";
import { type ArchiveIndex, currentArchive } from "./archive-index.server.ts";
import { type IssueYear, yearsOf } from "./issue-years.server.ts";
import type { IssuesAccess } from "./issues-client.server.ts";
import { listedAt } from "./load-archive.server.ts";

/** Most issues in one list: two years of weekly ones. */
const listMaxIssues = 104;

type Loaded = { all: AllIssues; status: 200 | 404 | 503 };

/** Every year, and the issues of the newest ones as far as they make one list. */
export async function loadAllIssues(access: IssuesAccess): Promise<Loaded> {
  return await withArchive(access, (archive) => {
    const years = yearsOf(archive);
    let room = listMaxIssues;
    const lists = [];
    for (const year of years) {
      room -= year.positions.length;
      if (room < 0 && lists.length > 0) break;
      lists.push(listOf(archive, year, 1));
    }
    return found({ years: years.map(registerYear), lists, part: null });
  });
}

/** A year as its address names it, `2026`, or a later part of one that has many issues, `2026-2`. */
export async function loadIssueYear(access: IssuesAccess, inAddress: string): Promise<Loaded> {
  const [, name, pageInAddress = "1"] =
    /^(\d{4}|undated)(?:-([1-9]\d{0,3}))?$/.exec(inAddress) ?? [];
  const page = Number(pageInAddress);
  return await withArchive(access, (archive) => {
    const years = yearsOf(archive);
    const register = years.map(registerYear);
    const chosen = years.find((year) => nameOf(year) === name);
    const pages = pagesOf(chosen);
    if (!chosen || page > pages || inAddress.endsWith("-1")) {
      return { all: { state: "not-found", years: register }, status: 404 };
    }
    const part = {
      year: registerYear(chosen),
      page,
      pages,
      newer: page > 1 ? partPath(chosen, page - 1) : null,
      older: page < pages ? partPath(chosen, page + 1) : null,
    };
    return found({ years: register, lists: [listOf(archive, chosen, page)], part });
  });
}

/** The addresses of every page of issues by year, for the sitemap. */
export function pathsOfAllIssues(archive: ArchiveIndex): string[] {
  const parts = yearsOf(archive).flatMap((year) =>
    Array.from({ length: pagesOf(year) }, (_, index) => partPath(year, index + 1)),
  );
  return [newsletter.all.path, ...parts];
}

function found(shown: Omit<Extract<AllIssues, { state: "found" }>, "state">): Loaded {
  return { all: { state: "found", ...shown }, status: 200 };
}

async function withArchive(
  access: IssuesAccess,
  show: (archive: ArchiveIndex) => Loaded,
): Promise<Loaded> {
  try {
    return show(await currentArchive(access));
  } catch (error) {
    access.reportError(error);
    return { all: { state: "failed" }, status: 503 };
  }
}

function listOf(archive: ArchiveIndex, year: IssueYear, page: number) {
  const from = (page - 1) * listMaxIssues;
  const issues = year.positions
    .slice(from, from + listMaxIssues)
    .map((position) => listedAt(archive, position));
  return { year: registerYear(year), issues };
}

function registerYear(year: IssueYear): RegisterYear {
  return {
    label: year.year ?? allIssues.undated,
    path: partPath(year, 1),
    count: year.positions.length,
  };
}

function pagesOf(year: IssueYear | undefined): number {
  return Math.ceil((year?.positions.length ?? 0) / listMaxIssues);
}

function partPath(year: IssueYear, page: number): string {
  return `${newsletter.all.path}/${nameOf(year)}${page === 1 ? "" : `-${page}`}`;
}

function nameOf({ year }: IssueYear): string {
  return year ?? "undated";
}
