import { contactSheet } from "#content/objects.ts";
import { contentCreation } from "#content/use-cases/content-creation.ts";
import {
  Dimension,
  Draw,
  Drawing,
  dot,
  Label,
  Note,
  type Place,
  type Shape,
} from "../drawings/pens.tsx";
import { metaOfUseCase, UseCasePage } from "../sections/use-case/use-case-page.tsx";

export const meta = metaOfUseCase(contentCreation);

export default function ContentCreationPage() {
  return (
    <UseCasePage
      useCase={contentCreation}
      before={<Before />}
      after={<After />}
      object={{ words: contactSheet, piece: <ContactSheet /> }}
    />
  );
}

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

const photo: Shape = {
  part: "M0 0h36v28H0z",
  line: "M6 24v-10l12-8 12 8v10zM15 24v-7h6v7",
};

function photoAt(place: Place) {
  return <Draw key={`${place.x} ${place.y}`} {...place} {...photo} />;
}

function Piece({ y, label }: { y: number; label: string }) {
  return (
    <g>
      <Draw part={`M222 ${y}h188v74H222z`} line={`M280 ${y + 44}h110M280 ${y + 56}h74`} />
      <Label x="280" y={y + 29} text={label} />
    </g>
  );
}

/** 84 by 70 each. */
const subjects = [
  "M16 52V34l26-17 26 17v18zM36 52V38h12v14",
  "M12 14h60v14H12zM12 40h60v16H12zM32 14v14M52 14v14M32 40v16M52 40v16",
  "M12 38h60c0 14-6 18-13 18H25c-7 0-13-4-13-18zM20 38V20c0-7 11-7 11 0",
  "M12 58h12V48h12V38h12V28h12V18h12",
  "M24 12h36v46H24zM42 12v46M24 35h36",
  "M12 12h60v46H12zM42 12v18M42 44v14M12 36h16",
  "M30 10h24v48H30zM47 34v4M18 58h48",
  "M14 14h56v42H14zM28 14v42M42 14v42M56 14v42M14 28h56M14 42h56",
  "M42 6v16M24 42c0-27 36-27 36 0zM36 48h12",
  "M8 42l34-26 34 26M16 42h52M22 54h40M28 48h28",
  "M12 58V24l6-8 6 8v34zM36 58V24l6-8 6 8v34zM60 58V24l6-8 6 8v34zM6 34h72M6 48h72",
  "M26 10h32v48H26zM34 18h6v6h-6zM44 18h6v6h-6zM34 30h6v6h-6zM44 30h6v6h-6zM34 42h16",
];
const byHand = 4;

/** Works by styles alone. */
function ContactSheet() {
  return (
    <div className="contact-sheet">
      <svg className="drawing" viewBox="0 0 544 150" role="img" aria-label={contactSheet.title}>
        {subjects.map((subject, index) => (
          <g
            key={subject}
            transform={`translate(${(index % 6) * 92} ${Math.floor(index / 6) * 80})`}
          >
            <rect className="part" width="84" height="70" />
            <path className="part-line" strokeWidth="2" d={subject} />
            <path
              className={index < byHand ? "cross" : "cross drafted"}
              pathLength="1"
              d="m58 54 7 9 14-20"
            />
          </g>
        ))}
      </svg>
      <fieldset className="switch below">
        <legend className="sr-only">{contactSheet.legend}</legend>
        <label className="sheet">
          <input type="radio" name="pieces" defaultChecked />
          {contactSheet.before}
        </label>
        <label className="sheet">
          <input type="radio" name="pieces" className="from-drafts" />
          {contactSheet.after}
        </label>
      </fieldset>
    </div>
  );
}
