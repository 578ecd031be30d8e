(() => {
  const words = { ...document.currentScript.dataset };
  let dialog = null;

  function element(name, className, ...children) {
    const made = document.createElement(name);
    if (className) made.className = className;
    made.append(...children);
    return made;
  }

  function link(href, text) {
    const made = element("a", "booking-link", text);
    made.href = href;
    return made;
  }

  function row(label, value) {
    return element("div", "booking-row", element("dt", "", label), element("dd", "", value));
  }

  function build() {
    const title = element("h2", "booking-title", words.title);
    title.id = "booking-title";
    const close = element("button", "booking-close", "×");
    close.type = "button";
    close.setAttribute("aria-label", words.closeLabel);

    const phone = link(`tel:${words.phone.replace(/[^+\d]/g, "")}`, words.phone);
    const subject = encodeURIComponent(words.emailSubject);
    const email = link(`mailto:${words.email}?subject=${subject}`, words.email);
    const rows = element(
      "dl",
      "booking-rows",
      words.phone ? row(words.phoneLabel, phone) : "",
      row(words.emailLabel, email),
      words.phone ? row(words.hoursLabel, words.hours) : "",
      ...JSON.parse(words.agenda).map(({ at, text }) => row(at, text)),
    );

    const sheet = element("div", "booking-sheet", title, element("p", "", words.intro), rows);
    const made = element("dialog", "booking-popup", close, sheet);
    made.setAttribute("aria-labelledby", title.id);
    close.addEventListener("click", () => made.close());
    made.addEventListener("click", (event) => {
      if (event.target === made) made.close();
    });
    made.addEventListener("close", () => {
      made.remove();
      dialog = null;
    });
    return made;
  }

  // A provider that the operator's own tags have brought needs no stand-in.
  window.Calendly ??= {
    initPopupWidget({ url }) {
      if (dialog) return;
      dialog = build();
      dialog.dataset.url = url;
      document.body.append(dialog);
      dialog.showModal();
    },
    closePopupWidget() {
      dialog?.close();
    },
  };
})();
