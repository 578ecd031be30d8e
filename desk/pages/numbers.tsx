import { setTimeout } from "node:timers/promises";
import { useLoaderData } from "react-router";
import { Bar, CartesianGrid, ComposedChart, Legend, Line, XAxis, YAxis } from "recharts";
import { amount, number } from "#content/amounts.ts";
import { countSubscribersByMonth, readReport, reportPeriod } from "#operator/report.ts";
import { deskOf, type PageArgs } from "../desk-context.ts";
import { Empty, Filters, Later, Page, When } from "../ui.tsx";

export async function loader(args: PageArgs) {
  const { db, now } = deskOf(args);
  const asked = Number(new URL(args.request.url).searchParams.get("months"));
  const months = [1, 3, 12].includes(asked) ? asked : 3;
  const period = reportPeriod(now(), months);
  // Comes after the page: a year's sends to a hundred thousand are five million rows to count.
  return { months, name: period.whole.label, report: collect(db, period) };
}

async function collect(
  db: ReturnType<typeof deskOf>["db"],
  period: ReturnType<typeof reportPeriod>,
) {
  // SQLite answers within the call, which would hold up the page.
  await setTimeout(20);
  const confirmed = await countSubscribersByMonth(db, period);
  return { ...(await readReport(db, period)), confirmed };
}

// Keyboard and screen readers use the table below each chart.
const size = { width: 720, height: 240, accessibilityLayer: false };
const [blue, red, grey] = ["#1f4fd8", "#b3261e", "#46526a"] as const;

export default function Numbers() {
  const { months, name, report } = useLoaderData<typeof loader>();
  return (
    <Page title={`Numbers, ${name}`} actions={<PrintButton />}>
      <Filters
        label="How long"
        choices={[1, 3, 12].map((count) => ({
          to: `?months=${count}`,
          name: count === 1 ? "This month" : `${count} months`,
          isChosen: count === months,
        }))}
      />
      <Later
        key={months}
        value={report}
        waiting="Counting…"
        failed="The numbers could not be read. The window where the desk was started says why."
      >
        {(read) => <Figures report={read} />}
      </Later>
    </Page>
  );
}

function Figures({ report }: { report: Awaited<ReturnType<typeof collect>> }) {
  const subscribers = report.subscribers.map((month, index) => ({
    label: month.label,
    confirmed: report.confirmed[index] ?? 0,
    joined: month.joined,
    left: month.left + month.bounced + month.complained,
  }));
  const sends = report.sends.toReversed().map(({ title, recipients, after }) => ({
    label: title.length > 24 ? `${title.slice(0, 23)}…` : title,
    accepted: recipients.accepted ?? 0,
    refused: recipients.refused ?? 0,
    left: after.left,
  }));
  return (
    <>
      <Chart
        title={`${amount(report.now.confirmed, "confirmed subscriber")} today`}
        first="Month"
        rows={subscribers}
        columns={{ confirmed: "At the end", joined: "Joined", left: "Left or bounced" }}
        drawn={{ confirmed: blue }}
        as="line"
      />
      <Chart
        title="Issues sent"
        first="Issue"
        rows={sends}
        columns={{ accepted: "Taken", refused: "Refused", left: "Left in the week after" }}
        drawn={{ accepted: blue, refused: red }}
        as="stack"
      />
      <Chart
        title="Messages and visits"
        first="From"
        rows={report.activity}
        columns={{ messages: "Messages", visits: "Pages shown" }}
        drawn={{ messages: blue, visits: grey }}
        as="pair"
      />
      <Tops title="Messages by subject" rows={report.subjects} />
      <Tops title="Pages shown most" rows={report.pages} />
      <Tops title="Where visitors came from" rows={report.referrers} />
      <Tops title="What came of visits" rows={report.events} />
      {report.sends[0] && (
        <p>
          Last send: <When at={report.sends[0].begunAt} />
        </p>
      )}
    </>
  );
}

function PrintButton() {
  return (
    <button type="button" className="button" onClick={() => window.print()}>
      Print
    </button>
  );
}

type Row = Record<string, string | number>;

/** A drawing with its figures in a table: a line, stacked bars, or two bars with an axis each. */
function Chart({
  title,
  first,
  rows,
  columns,
  drawn,
  as,
}: {
  title: string;
  first: string;
  rows: ({ label: string } & Row)[];
  columns: Record<string, string>;
  drawn: Record<string, string>;
  as: "line" | "stack" | "pair";
}) {
  return (
    <section className="chart">
      <h2>{title}</h2>
      {rows.every((row) => Object.keys(columns).every((key) => row[key] === 0)) ? (
        <Empty>Nothing in this time.</Empty>
      ) : (
        <>
          <div aria-hidden="true">
            <ComposedChart {...size} maxBarSize={48} data={rows}>
              <CartesianGrid strokeDasharray="2 4" />
              <XAxis dataKey="label" />
              <YAxis yAxisId="left" allowDecimals={false} />
              {as === "pair" && <YAxis yAxisId="right" orientation="right" allowDecimals={false} />}
              {as !== "line" && <Legend />}
              {Object.entries(drawn).map(([key, colour], index) => {
                const series = {
                  ...{ dataKey: key, name: columns[key], isAnimationActive: false },
                  yAxisId: as === "pair" && index === 1 ? "right" : "left",
                };
                if (as === "line") return <Line {...series} key={key} stroke={colour} />;
                const stackId = as === "stack" ? "mails" : key;
                return <Bar {...series} key={key} stackId={stackId} fill={colour} />;
              })}
            </ComposedChart>
          </div>
          <table>
            <thead>
              <tr>
                <th>{first}</th>
                {Object.values(columns).map((name) => (
                  <th key={name} className="number">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two sends may have one title.
                <tr key={index}>
                  <td>{row.label}</td>
                  {Object.keys(columns).map((key) => (
                    <td key={key} className="number">
                      {row[key]}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </section>
  );
}

function Tops({ title, rows }: { title: string; rows: { name: string; count: number }[] }) {
  if (rows.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <dl className="facts">
        {rows.map(({ name, count }) => (
          <div key={name} className="pair">
            <dt>{number(count)}</dt>
            <dd>{name}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
