import { linkAddress } from "./addresses.ts";

/** The old layout attributes, each with the values that mean something. Null drops the attribute. */
export function layoutValue(name: string, value: string): string | null {
  const text = value.trim().toLowerCase();
  switch (name) {
    case "width":
    case "height":
      return /^\d{1,4}(?:\.\d{1,3})?(?:px)?$|^\d{1,3}%$/.test(text) ? text.replace("px", "") : null;
    case "cellpadding":
    case "cellspacing":
    case "border":
      return /^\d{1,2}$/.test(text) && Number(text) <= 24 ? text : null;
    case "colspan":
    case "rowspan":
    case "span":
      return /^[1-9]\d{0,2}$/.test(text) ? text : null;
    case "align":
      return /^(?:left|right|center|justify)$/.test(text) ? text : null;
    case "valign":
      return /^(?:top|middle|bottom|baseline)$/.test(text) ? text : null;
    case "bgcolor":
      return /^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$|^[a-z]{3,20}$/.test(text) ? text : null;
    case "dir":
      return /^(?:ltr|rtl|auto)$/.test(text) ? text : null;
    case "lang":
      return /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/.test(text) ? text : null;
    case "scope":
      return /^(?:row|col|rowgroup|colgroup)$/.test(text) ? text : null;
    case "start":
    case "value":
      return /^-?\d{1,6}$/.test(text) ? text : null;
    case "type":
      return /^[1ai]$/i.test(text) ? value.trim() : null;
    case "cite":
      return linkAddress(value);
    case "target":
      return text === "_blank" ? text : null;
    default:
      return value.slice(0, 500);
  }
}
