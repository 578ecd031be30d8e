/** A module of its own, because every page loads the missing page. */
export const searchForm = {
  path: "/search",
  label: "What are you looking for?",
  submit: "Search",
};
