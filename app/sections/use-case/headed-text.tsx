/** A heading with its paragraphs beside it. */
export function HeadedText({ className = "beside", heading, text }: HeadedTextProps) {
  return (
    <div className={className}>
      <h2>{heading}</h2>
      <div>
        {text.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </div>
    </div>
  );
}

type HeadedTextProps = { className?: string; heading: string; text: readonly string[] };
