import type { ReactNode } from "react";

type FactsProps = {
  entries: readonly { key: string; value: ReactNode }[];
  className?: string;
  columns?: number;
};

export function TitleBlock({ className = "", ...facts }: FactsProps) {
  return <Facts className={`title-block ${className}`} {...facts} />;
}

/** Facts in cells, each under its key. */
export function Facts({ entries, className = "", columns = 2 }: FactsProps) {
  return (
    <dl className={`cells facts ${className}`} data-n={columns}>
      {entries.map(({ key, value }) => (
        <div key={key}>
          <dt className="lettering">{key}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
