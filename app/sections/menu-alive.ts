export const menuId = "site-menu";
export const menuNames = { open: "Open menu", close: "Close menu" };

/** Keeps the button's name true, and closes the menu behind a visitor who has left it. */
export function bringMenuAlive(): void {
  const menu = document.getElementById(menuId);
  const toggle = document.querySelector<HTMLElement>(".menu-toggle");
  if (!menu || !toggle) return;
  const show = (isOpen: boolean) => {
    toggle.ariaExpanded = String(isOpen);
    toggle.ariaLabel = isOpen ? menuNames.close : menuNames.open;
  };
  // The visitor may have opened it before. `:is`, because the selector alone throws where popovers aren't known.
  show(menu.matches(":is(:popover-open)"));
  // Fires during the press, so the button's new name is read at once.
  menu.addEventListener("beforetoggle", ({ newState }) => show(newState === "open"));
  // Tabbing out of the menu closes it, because it covers the page.
  document.addEventListener("focusin", ({ target }) => {
    if (!menu.parentElement?.contains(target as Node)) menu.hidePopover?.();
  });
}
