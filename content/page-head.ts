export type PageHead = {
  /** 15 to 60 characters. */
  title: string;
  /** 70 to 160 characters. */
  description: string;
  path: string;
  keywords?: readonly string[];
};
