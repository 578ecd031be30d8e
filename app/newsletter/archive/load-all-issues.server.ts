import { allIssues } from "#content/pages/all-issues.ts";
import { newsletter } from "#content/pages/newsletter.ts";
import type { IssueHead } from "#contracts/ports.ts";
import type { ListedIssue } from "../issues.ts";
import { type ArchiveAccess, listed } from "../load-issues.server.ts";

export type RegisterYear = { label: string; path: string; count: number };

export type AllIssues =
  | { state: "failed" }
  /** A year, or a page of it, without issues. */
  | { state: "not-found"; years: RegisterYear[] }
  | {
      state: "found";
      years: RegisterYear[];
      /** By year, newest first. */
      lists: { year: RegisterYear; issues: ListedIssue[] }[];
      /** Null on the page of all years. */
      part: YearPart | null;
    };

export type YearPart = {
  year: RegisterYear;
  /** Counted from 1. */
  page: number;
  pages: number;
  newer: string | null;
  older: string | null;
};

/** Per list: two years of weekly issues. */
const listMaxIssues = 104;

type Loaded = { all: AllIssues; status: 200 | 404 | 503 };

/** All years, and as many of the newest issues as fit one list. */
export async function loadAllIssues(access: ArchiveAccess): Promise<Loaded> {
  return await withArchive(access, (heads) => {
    const years = yearsOf(heads);
    let room = listMaxIssues;
    const lists = [];
    for (const year of years) {
      room -= year.issues.length;
      if (room < 0 && lists.length > 0) break;
      lists.push(listOf(year, 1));
    }
    return found({ years: years.map(registerYear), lists, part: null });
  });
}

/** A year by its address, `2026`, or a later page of a long one, `2026-2`. */
export async function loadIssueYear(access: ArchiveAccess, inAddress: string): Promise<Loaded> {
  const [, name, pageInAddress = "1"] =
    /^(\d{4}|undated)(?:-([1-9]\d{0,3}))?$/.exec(inAddress) ?? [];
  const page = Number(pageInAddress);
  return await withArchive(access, (heads) => {
    const years = yearsOf(heads);
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
    return found({ years: register, lists: [listOf(chosen, page)], part });
  });
}

/** For the sitemap. */
export function pathsOfAllIssues(heads: readonly IssueHead[]): string[] {
  const parts = yearsOf(heads).flatMap((year) =>
    Array.from({ length: pagesOf(year) }, (_, index) => partPath(year, index + 1)),
  );
  return [newsletter.all.path, ...parts];
}

function found(shown: Omit<Extract<AllIssues, { state: "found" }>, "state">): Loaded {
  return { all: { state: "found", ...shown }, status: 200 };
}

async function withArchive(
  access: ArchiveAccess,
  show: (heads: readonly IssueHead[]) => Loaded,
): Promise<Loaded> {
  try {
    return show(await access.archive.heads());
  } catch (error) {
    access.reportError(error);
    return { all: { state: "failed" }, status: 503 };
  }
}

function listOf(year: IssueYear, page: number) {
  const from = (page - 1) * listMaxIssues;
  const issues = year.issues.slice(from, from + listMaxIssues).map(listed);
  return { year: registerYear(year), issues };
}

function registerYear(year: IssueYear): RegisterYear {
  return {
    label: year.year ?? allIssues.undated,
    path: partPath(year, 1),
    count: year.issues.length,
  };
}

function pagesOf(year: IssueYear | undefined): number {
  return Math.ceil((year?.issues.length ?? 0) / listMaxIssues);
}

function partPath(year: IssueYear, page: number): string {
  return `${newsletter.all.path}/${nameOf(year)}${page === 1 ? "" : `-${page}`}`;
}

function nameOf({ year }: IssueYear): string {
  return year ?? "undated";
}

type IssueYear = {
  /** Four digits; null for issues without a date. */
  year: string | null;
  issues: IssueHead[];
};

/** Newest first, issues without a date last. */
function yearsOf(heads: readonly IssueHead[]): IssueYear[] {
  const years = Map.groupBy(
    heads,
    ({ publishDate }) => /^\d{4}(?=-)/.exec(publishDate ?? "")?.[0] ?? "",
  );
  return [...years]
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .map(([year, issues]) => ({ year: year || null, issues }));
}
