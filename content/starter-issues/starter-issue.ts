/** `html` is a fragment; `publishDate` is `YYYY-MM-DD`. */
export type StarterIssue = { title: string; publishDate: string; html: string };
