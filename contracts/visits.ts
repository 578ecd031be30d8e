/** Where a page says that the booking was opened, or that the browser shows another page without asking for it. */
export const visitsPath = "/visits";
