import { socialMedia } from "#content/use-cases/social-media.ts";
import { Draw, Drawing, dot, Label, Note, Part, type Place } from "../drawings/pens.tsx";
import { marks, Proof } from "../drawings/proof.tsx";
import { metaOfUseCase, pageOfUseCase } from "../sections/use-case/use-case-page.tsx";

export const meta = metaOfUseCase(socialMedia);

export default pageOfUseCase(socialMedia, {
  before: <Before />,
  after: <After />,
  tally: <YearWithoutGaps />,
  sidesBeside: true,
  layout: "marks-above",
});

const height = 356;
const days = "SMTWTFS";
const weeks = 5;
const left = 18;
const top = 52;
const column = 55;
const row = 44;

/** Counted from 0. */
function dayAt(week: number, day: number): Place {
  return { x: left + column * (day + 0.5), y: top + row * (week + 0.5) };
}

const scattered = [dayAt(0, 3), dayAt(0, 4), dayAt(0, 5), dayAt(1, 0), dayAt(4, 2)];
const steady = [0, 1, 2, 3, 4].flatMap((week) => [1, 3, 5].map((day) => dayAt(week, day)));

function post({ x, y }: Place): string {
  return `M${x - 12} ${y - 12}h24v24h-24z`;
}

function question({ x, y }: Place): string {
  return dot(x, y, 11);
}

function Before() {
  return (
    <Drawing
      id="social-media-before"
      height={height}
      title="One month’s posts today"
      description="A month’s calendar sheet. Three posts stand close together in the first week, one on the following Sunday, then nothing for most of the month, and one more near its end. A price question came in during the silence, and nobody saw it."
    >
      <CalendarSheet posts={scattered} />
      <Draw safety={question(dayAt(2, 1))} />
      <Part x={128} y={140} width={275} label="nothing posted, and busy" />
      <Legend question="price question, not seen" />
    </Drawing>
  );
}

function After() {
  const asked = [dayAt(1, 6), dayAt(3, 6)];
  const { x, y } = dayAt(1, 6);
  return (
    <Drawing
      id="social-media-after"
      height={height}
      title="One month’s posts after automation"
      description="The same calendar sheet with a post every Monday, Wednesday and Friday. Two price questions came in, and a line leads from both to the owner’s phone."
    >
      <CalendarSheet posts={steady} />
      <Draw route={`M${x} ${y}V294`} safety={asked.map(question).join("")} />
      <Part x={283} y={294} width={120} label="Your phone" pen="chalk" />
      <Legend question="price question" />
    </Drawing>
  );
}

/** A mark for each week, July's in orange. */
function YearWithoutGaps() {
  const posts = marks(52, (x, index) => `M${x + index * 0.06} 2h5v18h-5z`);
  return (
    <Proof>
      <Draw
        chalk={posts.join("")}
        safety={posts.slice(26, 30).join("")}
        line={`M1 26h418${marks(12, (x) => `M${x} 26v8`).join("")}M419 26v8`}
      />
      {[..."JFMAMJJASOND"].map((month, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the months never move.
        <Label key={index} x={18.4 + 34.83 * index} y={46} textAnchor="middle" text={month} />
      ))}
    </Proof>
  );
}

function CalendarSheet({ posts }: { posts: readonly Place[] }) {
  const width = column * days.length;
  const columns = [1, 2, 3, 4, 5, 6].map((day) => `M${left + column * day} ${top}v${row * weeks}`);
  const rows = [1, 2, 3, 4].map((week) => `M${left} ${top + row * week}h${width}`);
  return (
    <g>
      <rect className="part" x={left} y={top - 32} width={width} height={row * weeks + 32} />
      <path className="part-line" d={columns.join("") + rows.join("")} opacity="0.45" />
      <Draw line={`M${left} ${top}h${width}`} chalk={posts.map(post).join("")} />
      <Label
        x={[...days].map((_, day) => dayAt(0, day).x).join(" ")}
        y={top - 11}
        textAnchor="middle"
        text={days}
      />
    </g>
  );
}

function Legend({ question: words }: { question: string }) {
  const y = top + row * weeks + 44;
  return (
    <g>
      <Draw chalk={post({ x: 30, y })} safety={question({ x: 112, y })} />
      <Note x={48} y={y + 5} text="post" />
      <Note x={133} y={y + 5} text={words} />
    </g>
  );
}
