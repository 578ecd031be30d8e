export const sendingEnvironment = {
  SMTP_URL: "smtp://127.0.0.1:9",
  SITE_URL: "https://www.plumbline.ca",
  SITE_STREET: "22 King St. W.",
  SITE_POSTAL_CODE: "M5H 1A1",
};
