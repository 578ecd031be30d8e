import type { ComponentProps } from "react";

/** `primary` for the page's main action; `ink` for the orange band, `light` for dark ones. */
export type ButtonVariant = "primary" | "ink" | "light" | "plain";

type ButtonProps = ComponentProps<"button"> & { variant?: ButtonVariant };

export function Button({ variant = "primary", type = "button", ...rest }: ButtonProps) {
  const look = variant === "plain" ? "" : `button-${variant}`;
  return <button type={type} className={`button ${look}`} {...rest} />;
}
