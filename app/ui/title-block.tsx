type TitleBlockProps = {
  entries: readonly { key: string; value: string }[];
  className?: string;
  columns?: number;
};

/** A drawing's title block. */
export function TitleBlock({ entries, className = "", columns = 2 }: TitleBlockProps) {
  return (
    <dl className={`cells facts title-block ${className}`} data-n={columns}>
      {entries.map(({ key, value }) => (
        <div key={key}>
          <dt className="lettering">{key}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
