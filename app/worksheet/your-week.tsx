import { useCasePages } from "#content/site-pages.ts";
import { yourWeek } from "#content/your-week.ts";
import { Masthead } from "../sections/page-sections.tsx";
import { metaOf } from "../seo/page-meta.ts";
import { WeekSheet } from "./week-pieces.tsx";

export const meta = metaOf({ ...yourWeek.head, noIndex: true });

export default function YourWeekPage() {
  return (
    <>
      <Masthead heading={yourWeek.heading} lede={yourWeek.lede} />
      <div className="wrap section tight">
        <WeekSheet worksheets={useCasePages.map(({ cost }) => cost.worksheet)} />
      </div>
    </>
  );
}
