import type { ComponentProps, ReactNode } from "react";

/** Buttons and links that follow a page's first words. A page that has them imports `actions.css`, as with breadcrumbs. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className="actions">{children}</div>;
}

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
