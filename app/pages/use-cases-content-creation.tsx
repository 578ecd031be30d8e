import { contentCreation } from "#content/use-cases/content-creation.ts";
import { Dimension, Draw, Drawing, dot, Label, Note, type Place } from "../drawings/pens.tsx";
import { marks, Proof } from "../drawings/proof.tsx";
import { metaOfUseCase, pageOfUseCase } from "../sections/use-case/use-case-page.tsx";

export const meta = metaOfUseCase(contentCreation);

export default pageOfUseCase(contentCreation, {
  before: <Before />,
  after: <After />,
  tally: <Tally />,
  layout: "marks-below",
});

const height = 372;

function Before() {
  return (
    <Drawing
      id="content-creation-before"
      height={height}
      title="A finished job today"
      description="A job folder with forty photos lies on the left, the website on the right. The line between them is broken: the photos never arrive, two places for new projects stand empty, and the newest job on the website is from March. The distance is marked as months."
    >
      <Draw
        hidden="M182 172H246"
        cross="m204 162 20 20m0-20-20 20"
        part="M14 92h58l14 16h96v132H14zM246 60h160v212H246z"
        line="M246 92h160"
      />
      {[126, 164].flatMap((y) => [30, 80, 130].map((x) => photoAt({ x, y })))}
      <Label x="98" y="222" textAnchor="middle" text="40 photos" />
      <Label x="260" y="81" text="Website" />
      <Draw hidden="M262 108h128v40H262zM262 160h128v40H262z" />
      <Label x="262" y="230" text="Newest job:" />
      <Label x="262" y="252" text="March" />
      <Dimension from={98} to={326} at={318} reach={[250, 282]} label="months" />
    </Drawing>
  );
}

function After() {
  return (
    <Drawing
      id="content-creation-after"
      height={height}
      title="A finished job after automation"
      description="The same job folder, now with answers beside the photos, runs through a cutting line and comes out as three pieces: an article, a project page and a newsletter item. The way from folder to published piece is marked 55% faster."
    >
      <Draw
        route="M138 161H222M196 161V61H222M196 161V261H222"
        part="M14 88h46l12 14h66v124H14z"
        line="M30 164h86M30 174h86M30 184h60"
      />
      {[30, 80].map((x) => photoAt({ x, y: 120 }))}
      <Label x="76" y="212" textAnchor="middle" text="Job folder" />

      <path className="part-line" strokeWidth="2" strokeDasharray="20 5 5 5" d="M168 20V302" />
      <path className="part-line" strokeWidth="2" d="M168 20h12M168 302h12" />
      <Draw ink="m190 20-10-4.5v9zM190 302l-10-4.5v9z" safety={dot(168, 161, 7)} />
      <Note x={160} y={25} textAnchor="end" text="A" />
      <Note x={160} y={307} textAnchor="end" text="A" />

      <Piece y={24} label="Article" />
      <Draw line="M236 44h30M236 54h30M236 64h30M236 74h18" />
      <Piece y={124} label="Project page" />
      {photoAt({ x: 234, y: 146 })}
      <Piece y={224} label="Newsletter" />
      <Draw
        line="M236 242h30v40h-30zM248 252h12M248 260h12M248 268h12"
        ink={[248, 257, 266, 275].map((y) => dot(241.5, y, 1.5)).join("")}
      />
      <Dimension from={76} to={316} at={330} reach={[236, 308]} label="55% faster" />
    </Drawing>
  );
}

/** Four posts a month, and the eight that came. */
function Tally() {
  const posts = marks(12, (x, index) => `M${x + index * 0.6} 1h28v24h-28z`);
  return (
    <Proof>
      <Draw part={posts.slice(0, 4).join("")} chalk={posts.slice(4).join("")} />
      <Label x={1} y={44} text="4 before" />
      <Label x={419} y={44} textAnchor="end" text="12 after" />
    </Proof>
  );
}

function photoAt(place: Place) {
  const house = "M6 24v-10l12-8 12 8v10zM15 24v-7h6v7";
  return <Draw key={`${place.x} ${place.y}`} {...place} part="M0 0h36v28H0z" line={house} />;
}

function Piece({ y, label }: { y: number; label: string }) {
  return (
    <g>
      <Draw part={`M222 ${y}h188v74H222z`} line={`M280 ${y + 44}h110M280 ${y + 56}h74`} />
      <Label x="280" y={y + 29} text={label} />
    </g>
  );
}
