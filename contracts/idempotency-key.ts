/** What names one send of a form, so that a repeat makes one message: visible ASCII characters, which a header can carry. */
export const idempotencyKeyShape = /^[\u0021-\u007e]{1,200}$/;
