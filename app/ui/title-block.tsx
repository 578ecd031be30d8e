type TitleBlockProps = { entries: readonly { key: string; value: string }[]; className?: string };

/** A drawing's title block. */
export function TitleBlock({ entries, className = "" }: TitleBlockProps) {
  return (
    <dl className={`title-block cells even ${className}`} data-n="2">
      {entries.map(({ key, value }) => (
        <div key={key}>
          <dt>{key}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
