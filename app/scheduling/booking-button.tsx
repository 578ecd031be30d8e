import { callsToAction } from "#content/site.ts";

type BookingButtonProps = {
  /** The contact page has a booking address of its own. */
  place?: "contact";
  className?: string;
  children?: string;
};

/** Opens the scheduling provider's popup. */
export function BookingButton({
  className = "button-primary",
  children = callsToAction.consultation.label,
}: BookingButtonProps) {
  return (
    <button type="button" className={`button ${className}`}>
      {children}
    </button>
  );
}
