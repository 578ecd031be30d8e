type TitleBlockProps = { entries: readonly { key: string; value: string }[]; className?: string };

/**
 * The block in a drawing's corner that says what it is of: drawing, scope, saves, result. Its styles come with those of
 * drawings, and a page without one brings them itself.
 */
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
