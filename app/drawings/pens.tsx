import type { ComponentProps, ReactNode } from "react";

/** The pens of every drawing: a labelled part, a dimension line, a note. Units are the drawing's own. */

type PartProps = {
  x: number;
  y: number;
  width: number;
  height?: number;
  /** One line or two. */
  label: string | readonly [string, string];
  tone?: "plain" | "chalk" | "safety" | "hidden";
};

const lineHeight = 18;

const partClass = {
  plain: "part",
  chalk: "solid-chalk",
  safety: "solid-safety",
  hidden: "hidden-line",
} as const;

export function Part({ x, y, width, height = 44, label, tone = "plain" }: PartProps) {
  const lines = typeof label === "string" ? [label] : label;
  const firstBaseline = y + height / 2 + 5 - ((lines.length - 1) * lineHeight) / 2;
  return (
    <g>
      <rect className={partClass[tone]} x={x} y={y} width={width} height={height} />
      {lines.map((line, index) => (
        <text
          key={line}
          x={x + width / 2}
          y={firstBaseline + index * lineHeight}
          textAnchor="middle"
          className={tone === "chalk" ? "on-chalk" : undefined}
        >
          {line}
        </text>
      ))}
    </g>
  );
}

type DimensionProps = {
  from: number;
  to: number;
  /** Height of the dimension line. */
  at: number;
  /** Where the extension lines begin: one height for both, or one for each. */
  reach: number | readonly [number, number];
  label: string;
};

export function Dimension({ from, to, at, reach, label }: DimensionProps) {
  const [reachFrom, reachTo] = typeof reach === "number" ? [reach, reach] : reach;
  const above = at < reachFrom;
  const overshoot = above ? at - 10 : at + 10;
  return (
    <g>
      <path
        className="dimension"
        d={`M${from} ${reachFrom}V${overshoot}M${to} ${reachTo}V${overshoot}M${from} ${at}H${to}`}
      />
      <path className="arrow" d={`m${from} ${at} 9-3.5v7zM${to} ${at}l-9-3.5v7z`} />
      <Note x={(from + to) / 2} y={above ? at - 16 : at + 27} textAnchor="middle" text={label} />
    </g>
  );
}

type WordsProps = ComponentProps<"text"> & { text: ReactNode };

/** Words in a drawing, usually inside a part. */
export function Label({ text, ...place }: WordsProps) {
  return <text {...place}>{text}</text>;
}

/** Words outside any part: the paper's squares stop short of them. */
export function Note(props: WordsProps) {
  return <Label className="note" {...props} />;
}

type DrawingProps = {
  /** Unique on its page; links the title and description for screen readers. */
  id: string;
  width?: number;
  height: number;
  title: string;
  description: string;
  children: ReactNode;
};

/** A drawing on squared paper with its text alternative. 420 units wide, so that 15-unit text is legible at 360 px. */
export function Drawing({ id, width = 420, height, title, description, children }: DrawingProps) {
  return (
    <svg
      className="drawing pad"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-labelledby={`${id}-title ${id}-text`}
      fontSize="15"
    >
      <title id={`${id}-title`}>{title}</title>
      <desc id={`${id}-text`}>{description}</desc>
      {children}
    </svg>
  );
}
