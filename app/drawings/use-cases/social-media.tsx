import type { ReactNode } from "react";
import { postingWeek } from "#content/use-cases/social-media.ts";
import { Drawing, Label, Note, Part } from "../pens.tsx";

const height = 356;
const days = "SMTWTFS";
const weeks = 5;
const left = 14;
const top = 52;
const column = 56;
const row = 44;

type Cell = { week: number; day: number };

const cellCentre = ({ week, day }: Cell) => ({
  x: left + column * (day + 0.5),
  y: top + row * (week + 0.5),
});

const scattered: Cell[] = [
  { week: 0, day: 3 },
  { week: 0, day: 4 },
  { week: 0, day: 5 },
  { week: 1, day: 0 },
  { week: 4, day: 2 },
];

const steady: Cell[] = [0, 1, 2, 3, 4].flatMap((week) => [1, 3, 5].map((day) => ({ week, day })));

export function SocialMediaBefore() {
  return (
    <Drawing
      id="social-media-before"
      height={height}
      title="One month’s posts today"
      description="A month’s calendar sheet. Three posts stand close together in the first week, one on the following Sunday, then nothing for most of the month, and one more near its end. A price question came in during the silence, and nobody saw it."
    >
      <CalendarSheet posts={scattered} />
      <Question week={2} day={1} />
      <Part x={126} y={140} width={280} label="nothing posted, and busy" />
      <Legend question="price question, not seen" />
    </Drawing>
  );
}

export function SocialMediaAfter() {
  const first = cellCentre({ week: 1, day: 6 });
  return (
    <Drawing
      id="social-media-after"
      height={height}
      title="One month’s posts after automation"
      description="The same calendar sheet with a post every Monday, Wednesday and Friday. Two price questions came in, and a line leads from both to the owner’s phone."
    >
      <CalendarSheet posts={steady} />
      <path className="route" d={`M${first.x} ${first.y}V294`} />
      <Question week={1} day={6} />
      <Question week={3} day={6} />
      <Part x={286} y={294} width={120} label="Your phone" tone="chalk" />
      <Legend question="price question" />
    </Drawing>
  );
}

function CalendarSheet({ posts }: { posts: readonly Cell[] }) {
  const width = column * days.length;
  const columns = [1, 2, 3, 4, 5, 6].map((day) => `M${left + column * day} ${top}v${row * weeks}`);
  const rows = [1, 2, 3, 4].map((week) => `M${left} ${top + row * week}h${width}`);
  return (
    <g>
      <rect className="part" x={left} y={top - 32} width={width} height={row * weeks + 32} />
      <path className="part-line" d={columns.join("") + rows.join("")} opacity="0.45" />
      <path className="part-line" d={`M${left} ${top}h${width}`} />
      <Label
        x={[...days].map((_, day) => left + column * (day + 0.5)).join(" ")}
        y={top - 11}
        textAnchor="middle"
        text={days}
      />
      {posts.map((cell) => {
        const { x, y } = cellCentre(cell);
        return <Post key={`${x} ${y}`} x={x} y={y} />;
      })}
    </g>
  );
}

function Post({ x, y }: { x: number; y: number }) {
  return <rect className="solid-chalk" x={x - 12} y={y - 12} width="24" height="24" />;
}

function Question(cell: Cell) {
  const { x, y } = cellCentre(cell);
  return <circle className="solid-safety" cx={x} cy={y} r="11" />;
}

function Legend({ question }: { question: string }) {
  const y = top + row * weeks + 44;
  return (
    <g>
      <Post x={26} y={y} />
      <Note x={48} y={y + 5} text="post" />
      <circle className="solid-safety" cx="112" cy={y} r="11" />
      <Note x={133} y={y + 5} text={question} />
    </g>
  );
}

const { title, description, days: week } = postingWeek;

/** The week behind the calendar: a column a day on a wide sheet, a row a day on a narrow one. */
export function PostingWeek() {
  return (
    <figure className="sheet arranged posting-week">
      <Drawing id="week-wide" width={1120} height={136} title={title} description={description}>
        {week.map(({ day, lines, mark }, index) => (
          <Day key={day} x={index * 160} width={160} height={136} mark={mark} markAt={[130, 27]}>
            <Note x={18} y={33} text={day} />
            {lines.map((line, row) => (
              <Note key={line} x={18} y={80 + row * 22} text={line} />
            ))}
          </Day>
        ))}
      </Drawing>
      <Drawing id="week-narrow" height={266} title={title} description={description}>
        {week.map(({ day, lines, mark }, index) => (
          <Day key={day} y={index * 38} width={420} height={38} mark={mark} markAt={[90, 19]}>
            <Note x={18} y={24} text={day} />
            <Note x={126} y={24} text={lines.join(" ")} />
          </Day>
        ))}
      </Drawing>
    </figure>
  );
}

type DayProps = {
  x?: number;
  y?: number;
  width: number;
  height: number;
  mark: (typeof week)[number]["mark"];
  markAt: readonly [number, number];
  children: ReactNode;
};

function Day({ x = 0, y = 0, width, height, mark, markAt: [markX, markY], children }: DayProps) {
  return (
    <g transform={`translate(${x} ${y})`}>
      {mark === "empty" && <path className="part-line" d={hatchOf(width, height)} opacity="0.35" />}
      {x > 0 && <path className="part-line" d={`M0 0v${height}`} />}
      {y > 0 && <path className="part-line" d={`M0 0h${width}`} />}
      {mark === "post" && <Post x={markX} y={markY} />}
      {mark === "question" && <circle className="solid-safety" cx={markX} cy={markY} r="11" />}
      {children}
    </g>
  );
}

/** Slanted lines, 14 units apart, in a box. */
function hatchOf(width: number, height: number): string {
  const lines: string[] = [];
  for (let start = -height; start < width; start += 14) {
    const [from, to] = [Math.max(0, start), Math.min(width, start + height)];
    lines.push(`M${from} ${height - (from - start)}L${to} ${height - (to - start)}`);
  }
  return lines.join("");
}
