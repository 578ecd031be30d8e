import { type RequestOptions, request } from "node:http";

export type RawAnswer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
};

/** Asks a server for a path as it is written, with these headers and none that `fetch` adds. */
export function requestRaw(
  origin: string,
  options: RequestOptions & { path: string },
  body = "",
): Promise<RawAnswer> {
  const { hostname: host, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const asked = request({ host, port, agent: false, ...options }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
    });
    asked.on("error", reject).end(body);
  });
}
