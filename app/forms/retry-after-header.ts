/** The header that goes with status 429 (RFC 9110, section 10.2.3); none where there is nothing to wait for. */
export function retryAfterHeader({
  retryAfterSeconds,
}: {
  retryAfterSeconds?: number;
}): Record<string, string> {
  return retryAfterSeconds ? { "Retry-After": String(retryAfterSeconds) } : {};
}
