import { contact } from "#content/pages/contact.ts";
import { ContactForm } from "../../forms/contact-form.tsx";

/** The form, on the sheet that a crew would be sent out with. */
export function WorkOrder() {
  const { heading, intro, orderKey, orderReply } = contact.form;
  return (
    <section className="sheet work-order">
      <header className="work-order-head">
        <div>
          <h2>{heading}</h2>
          <p>{intro}</p>
        </div>
        <dl>
          <dt className="lettering">{orderKey}</dt>
          <dd>{orderReply}</dd>
        </dl>
      </header>
      <ContactForm />
    </section>
  );
}
