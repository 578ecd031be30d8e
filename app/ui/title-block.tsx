type TitleBlockProps = { entries: readonly { key: string; value: string }[]; className?: string };

/** A drawing's title block. Its styles come with the drawing's; a page without one imports them. */
export function TitleBlock({ entries, className = "" }: TitleBlockProps) {
  return (
    <dl className={`title-block ${className}`}>
      {entries.map(({ key, value }) => (
        <div key={key}>
          <dt>{key}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
