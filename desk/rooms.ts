export type Room = {
  path: string;
  name: string;
  /** Lines of its sign, in a square of 20. */
  sign: string;
  /** In the bar at the foot of a phone. The others are behind "More" there. */
  isDaily?: true;
};

export const rooms: readonly Room[] = [
  {
    path: "/",
    name: "Today",
    sign: "M10 5v5l3 2M17 10a7 7 0 1 1-14 0a7 7 0 0 1 14 0",
    isDaily: true,
  },
  { path: "/messages", name: "Messages", sign: "M3 5h14v10H3zl7 6l7-6", isDaily: true },
  {
    path: "/issues",
    name: "Issues",
    sign: "M5 3h7l3 3v11H5zM12 3v3h3M8 10h4M8 13h4",
    isDaily: true,
  },
  {
    path: "/subscribers",
    name: "Subscribers",
    sign: "M10 6a3 3 0 1 1-6 0a3 3 0 0 1 6 0M2 17c0-4 2-6 5-6s5 2 5 6M13 4a3 3 0 0 1 0 5M15 12c2 1 3 2 3 5",
    isDaily: true,
  },
  { path: "/words", name: "The site's words", sign: "M4 6V4h12v2M10 4v12M7 16h6" },
  {
    path: "/people",
    name: "People",
    sign: "M11 8a4 4 0 1 1-8 0a4 4 0 0 1 8 0M10 10l6 6M13 13l2-2M6 8h1",
  },
  {
    path: "/settings",
    name: "Settings",
    sign: "M3 6h8M15 6h2M13 4v4M3 14h2M9 14h8M7 12v4",
  },
];

export const moreSign = "M4 10h1M10 10h1M16 10h1";
