/** The form that stands on the missing page too, which every page brings along. */
export const searchForm = {
  path: "/search",
  label: "What are you looking for?",
  submit: "Search",
};
