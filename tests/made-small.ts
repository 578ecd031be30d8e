import type { APIRequestContext, APIResponse } from "@playwright/test";
import { expect } from "@playwright/test";

/**
 * A page in brotli, as every visitor but the first gets it: one of many pages is made small after it has first been
 * answered (docs/decisions/0019-whoever-asked-least-is-next.md).
 */
export async function madeSmall(request: APIRequestContext, path: string): Promise<APIResponse> {
  const ask = () => request.get(path, { headers: { "Accept-Encoding": "br" } });
  let answer = await ask();
  await expect
    .poll(async () => {
      answer = await ask();
      return answer.headers().etag;
    }, `${path} is made small`)
    .not.toContain("-quick");
  return answer;
}
