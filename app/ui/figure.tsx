/** "40+ hours": the unit beside or below the number. */
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
