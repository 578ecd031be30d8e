import type { ReactNode } from "react";
import type { TeamMember } from "#content/team.ts";

type FactsProps = {
  entries: readonly { key: string; value: ReactNode }[];
  className?: string;
  columns?: number;
};

export function TitleBlock({ className = "", ...facts }: FactsProps) {
  return <Facts className={`title-block ${className}`} {...facts} />;
}

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

/** None until there are names. */
export function signaturesOf(members: readonly TeamMember[]) {
  return members.flatMap(({ signs, name, portrait }) =>
    name && signs
      ? [{ key: signs, value: portrait ? <Signed {...{ name, portrait }} /> : name }]
      : [],
  );
}

function Signed({ name, portrait }: { name: string; portrait: string }) {
  return (
    <span className="apart">
      {name}
      <img src={portrait} alt="" width="40" height="40" />
    </span>
  );
}
