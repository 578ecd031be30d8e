import type { ReactNode } from "react";
import { Label } from "./pens.tsx";

/**
 * The five steps of a project as a building site in five panels with one ground line, which joins when they are side by
 * side.
 */
const panels: readonly ReactNode[] = [
  <Stake key="1" />,
  <Dig key="2" />,
  <Footing key="3" />,
  <Frame key="4" />,
  <Storey key="5" />,
];

/** Counted from 0. */
export function ProjectSectionPanel({ step }: { step: number }) {
  return (
    <svg className="drawing" viewBox="0 0 220 170" aria-hidden="true" fontSize="15">
      {panels[step]}
    </svg>
  );
}

const earth = "M12 118l-8 10M36 118l-8 10";

function Stake() {
  return (
    <>
      <path className="route" d="M-21 110H220" />
      <path className="part-line" d={`${earth}M196 118l-8 10M216 118l-8 10`} />
      <path className="hidden-line" d="M78 70H220" />
      <path className="part-line" strokeWidth="4" d="M78 128V52" />
      <path className="solid-safety" d="M78 52h34l-9 11 9 11H78z" />
      <Label x="110" y="156" textAnchor="middle" text="30 minutes" />
    </>
  );
}

function Dig() {
  return (
    <>
      <path className="route" d="M-21 110H34L50 140H170L186 110H220" />
      <path className="hidden-line" d="M0 70H220M34 110H186" />
      <path className="part-line" d="M14 118l-8 10M212 118l-8 10M64 146l-8 10M160 146l-8 10" />
      <path className="dimension" d="M110 110V140" />
      <path className="arrow" d="m110 110-3.5 9h7zM110 140l-3.5-9h7z" />
      <Label x="110" y="98" textAnchor="middle" text="one month" />
    </>
  );
}

function Footing() {
  return (
    <>
      <path className="route" d="M-21 110H34L50 140H170L186 110H220" />
      <path className="hidden-line" d="M0 70H220" />
      <path
        className="solid-chalk"
        d="M58 128h32v12H58zM130 128h32v12h-32zM68 96h12v32H68zM140 96h12v32h-12z"
      />
      <path className="part" d="M60 88h100v8H60z" />
      <path className="arrow" d="m110 84-7-11h14z" />
      <Label x="110" y="56" textAnchor="middle" text="level set" />
    </>
  );
}

function Frame() {
  return (
    <>
      <path className="route" d="M-21 110H220" />
      <path className="part" d="M52 60h116v50H52z" />
      <path className="part-line" d="M75 60v50M98 60v50M121 60v50M144 60v50M52 85h116" />
      <path className="route" d="M40 62 110 22l70 40" />
      <path className="part-line" d="M110 22v38M75 42v18M145 42v18M14 118l-8 10M212 118l-8 10" />
      <Label x="110" y="142" textAnchor="middle" text="1 to 2 weeks" />
    </>
  );
}

function Storey() {
  return (
    <>
      <path className="route" d="M-21 110H220" />
      <path className="solid-chalk" d="M14 60h116v50H14z" />
      <path className="part" d="M34 78h20v32H34zM76 78h28v16H76z" />
      <path className="route" d="M2 62 72 22l70 40" />
      <path className="hidden-line" d="M130 62h66v48M130 62V30h66v32M122 32l41-24 41 24" />
      <path className="part-line" d="M14 118l-8 10M212 118l-8 10" />
      <Label x="110" y="142" textAnchor="middle" text="room for more" />
    </>
  );
}
