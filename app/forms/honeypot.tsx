import { formTrap } from "#content/form-trap.ts";
import "./form-trap.css";

/** The name is one that programs like to fill in, and no browser fills in by itself. */
export const trapField = "website";

const trapMaxLength = 200;

/**
 * A field for programs. People can't see, reach or hear it: it is clipped away, inert and out of the accessibility tree,
 * and password managers are asked to leave it alone. Where a page has no styles its label says what to do. What fills
 * it in all the same may still be a person's, so it is held and not dropped.
 */
export function FormTrap({ id }: { id: string }) {
  return (
    <div className="form-trap" aria-hidden="true" inert>
      <label htmlFor={id}>{formTrap.label}</label>
      <input
        id={id}
        name={trapField}
        type="text"
        tabIndex={-1}
        autoComplete="off"
        maxLength={trapMaxLength}
        // 1Password, LastPass, Bitwarden and Dashlane, in this order.
        data-1p-ignore=""
        data-lpignore="true"
        data-bwignore=""
        data-form-type="other"
      />
    </div>
  );
}
