type TitleBlockProps = { entries: readonly { key: string; value: string }[]; className?: string };

/** A drawing's title block. */
export function TitleBlock({ entries, className = "" }: TitleBlockProps) {
  return (
    <dl className={`title-block cells ${className}`} data-n="2">
      {entries.map(({ key, value }) => (
        <div key={key}>
          <dt className="lettering">{key}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
