import type { ReactNode } from "react";
import { useLoaderData } from "react-router";
import { Bar, BarChart, CartesianGrid, Legend, Line, LineChart, XAxis, YAxis } from "recharts";
import { collectReport, reportPeriod } from "#cli/report-data.ts";
import { deskOf, type PageArgs } from "../desk-context.ts";
import { amount, Empty, Filters, Page, When } from "../ui.tsx";

export async function loader(args: PageArgs) {
  const { db, now } = deskOf(args);
  const asked = Number(new URL(args.request.url).searchParams.get("months"));
  const months = [1, 3, 12].includes(asked) ? asked : 3;
  const period = reportPeriod(now(), months);
  return { months, name: period.whole.label, report: await collectReport(db, period) };
}

/** The table beneath has the figures for the keyboard and screen readers. */
const size = { width: 720, height: 240, accessibilityLayer: false };
const colours = ["#1f4fd8", "#b3261e", "#46526a"];

export default function Numbers() {
  const { months, name, report } = useLoaderData<typeof loader>();
  let total = report.now.confirmed;
  // Backwards from today, by who confirmed and who left in each month.
  const readers = report.subscribers
    .toReversed()
    .map(({ label, confirmed, joined, left, bounced, complained }) => {
      const point = { label, readers: total, joined, left: left + bounced + complained };
      total -= confirmed - point.left;
      return point;
    })
    .toReversed();
  const sends = report.sends.toReversed().map(({ title, recipients, after }) => ({
    label: title.length > 24 ? `${title.slice(0, 23)}…` : title,
    accepted: recipients.accepted ?? 0,
    refused: recipients.refused ?? 0,
    left: after.left,
  }));
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
      <Chart
        title={`${amount(report.now.confirmed, "confirmed subscriber")} today`}
        rows={readers}
        columns={{ readers: "At the end", joined: "Joined", left: "Left or bounced" }}
      >
        <LineChart {...size} data={readers}>
          <CartesianGrid strokeDasharray="2 4" />
          <XAxis dataKey="label" />
          <YAxis allowDecimals={false} />
          <Line dataKey="readers" stroke={colours[0]} isAnimationActive={false} />
        </LineChart>
      </Chart>
      <Chart
        title="Issues sent"
        rows={sends}
        columns={{ accepted: "Taken", refused: "Refused", left: "Left in the week after" }}
      >
        <BarChart {...size} data={sends}>
          <CartesianGrid strokeDasharray="2 4" />
          <XAxis dataKey="label" />
          <YAxis allowDecimals={false} />
          <Legend />
          <Bar dataKey="accepted" stackId="mails" fill={colours[0]} isAnimationActive={false} />
          <Bar dataKey="refused" stackId="mails" fill={colours[1]} isAnimationActive={false} />
        </BarChart>
      </Chart>
      <Chart
        title="Messages and visits"
        rows={report.activity}
        columns={{ messages: "Messages", visits: "Pages shown" }}
      >
        <BarChart {...size} data={report.activity}>
          <CartesianGrid strokeDasharray="2 4" />
          <XAxis dataKey="label" />
          <YAxis yAxisId="left" allowDecimals={false} />
          <YAxis yAxisId="right" orientation="right" allowDecimals={false} />
          <Legend />
          <Bar yAxisId="left" dataKey="messages" fill={colours[0]} isAnimationActive={false} />
          <Bar yAxisId="right" dataKey="visits" fill={colours[2]} isAnimationActive={false} />
        </BarChart>
      </Chart>
      <Tops title="Messages by subject" rows={report.subjects} />
      <Tops title="Pages shown most" rows={report.pages} />
      <Tops title="Where visitors came from" rows={report.referrers} />
      <Tops title="What came of visits" rows={report.events} />
      {report.sends[0] && (
        <p>
          Last send: <When at={report.sends[0].begunAt} />
        </p>
      )}
    </Page>
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

/** A drawing for the eye, with its figures in a table beneath. */
function Chart<Columns extends Record<string, string>>({
  title,
  rows,
  columns,
  children,
}: {
  title: string;
  rows: ({ label: string } & Row)[];
  columns: Columns;
  children: ReactNode;
}) {
  return (
    <section className="chart">
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <Empty>Nothing in this time.</Empty>
      ) : (
        <>
          <div aria-hidden="true">{children}</div>
          <table>
            <thead>
              <tr>
                <th>From</th>
                {Object.values(columns).map((name) => (
                  <th key={name}>{name}</th>
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
            <dt>{count.toLocaleString("en-CA")}</dt>
            <dd>{name}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
