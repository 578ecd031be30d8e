import { startDesk } from "../desk/desk-test.ts";
import { typeLetters } from "../desk/letter-places.ts";
import { expect, test } from "./engine-test.ts";

test("letters that are typed at the desk are stored, shown and mailed as they were written", async ({
  tab,
  site,
}) => {
  test.slow();
  const desk = await startDesk(site);
  await tab.open(`${desk.link()}&here`);
  await tab.open(`${desk.url}/issues`);
  await tab.click("button[value=new]");
  await expect
    .poll(() => tab.run(() => document.querySelector("div[role=textbox]") !== null))
    .toBe(true);
  await typeLetters(tab);
});
