export const menuId = "site-menu";
export const menuNames = { open: "Open menu", close: "Close menu" };

export function bringMenuAlive(): void {
  const menu = document.getElementById(menuId);
  const toggle = document.querySelector<HTMLElement>(".menu-toggle");
  if (!menu || !toggle) return;
  const show = (isOpen: boolean) => {
    toggle.ariaExpanded = String(isOpen);
    toggle.ariaLabel = isOpen ? menuNames.close : menuNames.open;
  };
  // Opened before the script came. `:is`, since the bare selector throws where popovers are unknown.
  show(menu.matches(":is(:popover-open)"));
  // During the press, so that screen readers hear the new name.
  menu.addEventListener("beforetoggle", ({ newState }) => show(newState === "open"));
  // The menu covers the page.
  document.addEventListener("focusin", ({ target }) => {
    if (!menu.parentElement?.contains(target as Node)) menu.hidePopover?.();
  });
}
