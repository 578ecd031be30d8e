import { data } from "react-router";

/** The fields of a posted form. A body that is no form, or breaks off, is the sender's mistake and answered with 400. */
export async function readPostedForm(request: Request): Promise<FormData> {
  try {
    return await request.formData();
  } catch {
    throw data(null, { status: 400 });
  }
}
