import type { ReactNode } from "react";

/**
 * Renders a part with its properties beside it; app/entry.client.tsx hydrates it by `name`.
 * Properties are plain data.
 */
export function piece<Props extends object>(name: string, Part: (props: Props) => ReactNode) {
  function Piece(props: Props) {
    return (
      <div className="piece" data-piece={name} data-props={JSON.stringify(props)}>
        <Part {...props} />
      </div>
    );
  }
  Piece.Part = Part;
  return Piece;
}
