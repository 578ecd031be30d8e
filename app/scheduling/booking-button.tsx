import type { ReactNode } from "react";
import { callsToAction } from "#content/site.ts";
import { useSiteFacts } from "../site-facts.ts";
import { Button, type ButtonVariant } from "../ui/button.tsx";
import { openSchedulingPopup, useSchedulingWidget } from "./scheduling-widget.ts";

type BookingButtonProps = {
  /** The contact page has a booking page of its own; every other page shares the 30-minute one. */
  place?: "contact" | "page";
  variant?: ButtonVariant;
  className?: string;
  children?: ReactNode;
};

/** Opens the provider's booking popup. */
export function BookingButton({
  place = "page",
  variant = "primary",
  className,
  children = callsToAction.consultation.label,
}: BookingButtonProps) {
  const { scheduling } = useSiteFacts().settings;
  useSchedulingWidget();
  const url = place === "contact" ? scheduling.contactUrl : scheduling.url;
  return (
    <Button
      variant={variant}
      className={className}
      aria-haspopup="dialog"
      onClick={() => openSchedulingPopup(url)}
    >
      {children}
    </Button>
  );
}
