import type { ComponentProps } from "react";

/** `primary` is the one thing to do on a page; `ink` is for the orange band, `light` for the dark ones. */
export type ButtonVariant = "primary" | "ink" | "light" | "plain";

type ButtonProps = ComponentProps<"button"> & { variant?: ButtonVariant };

export function Button({
  variant = "primary",
  className = "",
  type = "button",
  ...rest
}: ButtonProps) {
  const look = variant === "plain" ? "" : `button-${variant}`;
  return <button type={type} className={`button ${look} ${className}`} {...rest} />;
}
