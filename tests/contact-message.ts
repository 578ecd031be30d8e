/** What the contact form sends, with everything empty that may be. */
export const contactMessage = {
  firstName: "Ana",
  lastName: "Souza",
  email: "ana@souza.example",
  company: "",
  phone: "",
  subject: "",
  message: "Hello",
};
