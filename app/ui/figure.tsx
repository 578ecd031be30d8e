/** A figure in large letters with its unit, if it has one, beside or below it: "40+ hours". Words stay as they are. */
export function Figure({ value }: { value: string }) {
  const [, count, unit] = /^(\d\S*) (.*)$/.exec(value) ?? [];
  if (/^\d\S*$/.test(value)) return <span className="whitespace-nowrap">{value}</span>;
  if (!count) return value;
  return (
    <span className="figure">
      <span>{count}</span> <span>{unit}</span>
    </span>
  );
}
