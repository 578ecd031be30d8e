import type { ComponentProps, ReactNode } from "react";

const penClasses = {
  part: "part",
  line: "part-line",
  route: "route",
  hidden: "hidden-line",
  chalk: "solid-chalk",
  safety: "solid-safety",
  cross: "cross",
  dimension: "dimension",
  ink: "ink",
} as const;

/** Path data by pen, in drawing order. */
export type Shape = Partial<Record<keyof typeof penClasses, string>>;

export type Place = { x: number; y: number };

/** `x`, `y` is the origin's place. */
export function Draw({ x = 0, y = 0, ...shape }: Partial<Place> & Shape) {
  const strokes = Object.entries(shape).map(([pen, d]) => (
    <path key={pen} className={penClasses[pen as keyof Shape]} d={d} />
  ));
  return x || y ? <g transform={`translate(${x} ${y})`}>{strokes}</g> : strokes;
}

export function dot(x: number, y: number, r: number): string {
  return `M${x - r} ${y}a${r} ${r} 0 1 1 ${2 * r} 0 ${r} ${r} 0 1 1-${2 * r} 0`;
}

type PartProps = Place & {
  width: number;
  height?: number;
  label: string | readonly [string, string];
  pen?: "part" | "chalk" | "safety" | "hidden";
};

const lineHeight = 18;

export function Part({ x, y, width, height = 44, label, pen = "part" }: PartProps) {
  const lines = typeof label === "string" ? [label] : label;
  const firstBaseline = y + height / 2 + 5 - ((lines.length - 1) * lineHeight) / 2;
  return (
    <g className={pen === "chalk" ? "on-chalk" : undefined} textAnchor="middle">
      <rect className={penClasses[pen]} x={x} y={y} width={width} height={height} />
      {lines.map((line, index) => (
        <text key={line} x={x + width / 2} y={firstBaseline + index * lineHeight}>
          {line}
        </text>
      ))}
    </g>
  );
}

type DimensionProps = {
  from: number;
  to: number;
  at: number;
  reach: number | readonly [number, number];
  label: string;
};

export function Dimension({ from, to, at, reach, label }: DimensionProps) {
  const [reachFrom, reachTo] = typeof reach === "number" ? [reach, reach] : reach;
  const above = at < reachFrom;
  const overshoot = above ? at - 10 : at + 10;
  return (
    <g>
      <Draw
        dimension={`M${from} ${reachFrom}V${overshoot}M${to} ${reachTo}V${overshoot}M${from} ${at}H${to}`}
        ink={`m${from} ${at} 9-3.5v7zM${to} ${at}l-9-3.5v7z`}
      />
      <Note x={(from + to) / 2} y={above ? at - 16 : at + 27} textAnchor="middle" text={label} />
    </g>
  );
}

type WordsProps = ComponentProps<"text"> & { text: ReactNode };

export function Label({ text, ...place }: WordsProps) {
  return <text {...place}>{text}</text>;
}

/** The paper's squares stop short of these words. */
export function Note(props: WordsProps) {
  return <Label className="note" {...props} />;
}

type DrawingProps = {
  id: string;
  width?: number;
  height: number;
  title: string;
  description: string;
  children: ReactNode;
};

/** 420 units wide, so that 15-unit text is legible at 360 px. */
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
