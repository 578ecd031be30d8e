/** The form's payload, with every optional field empty. */
export const contactMessage = {
  firstName: "Ana",
  lastName: "Souza",
  email: "ana@souza.example",
  company: "",
  phone: "",
  subject: "",
  message: "Hello",
};
