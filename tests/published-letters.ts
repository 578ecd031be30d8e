import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import juice from "juice";
import Mailgen from "mailgen";

export type Letter = { source: string; name: string; html: string };

const require = createRequire(import.meta.url);
const folderOf = (packageFile: string) => path.dirname(require.resolve(packageFile));

/** Letters that nobody here wrote, as the packages that publish them render them, and ours for what none of them has. */
export const publishedLetters: readonly Letter[] = [
  ...foundationTemplates(),
  ...mailgenThemes(),
  ...transactionalTemplate(),
  ...htmlFiles(path.join(import.meta.dirname, "fixtures/letters"), "our own letters"),
];

function htmlFiles(folder: string, source: string): Letter[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".html"))
    .toSorted()
    .map((file) => ({
      source,
      name: file.slice(0, -".html".length),
      html: readFileSync(path.join(folder, file), "utf8"),
    }));
}

/** Mail programs see styles that the sender has written into the elements. */
function foundationTemplates(): Letter[] {
  const folder = folderOf("foundation-emails/package.json");
  const styles = readFileSync(path.join(folder, "dist/foundation-emails.css"), "utf8");
  return htmlFiles(path.join(folder, ".download/templates"), "foundation-emails").map((letter) => ({
    ...letter,
    html: juice.inlineContent(letter.html, styles),
  }));
}

function mailgenThemes(): Letter[] {
  const button = (text: string, color: string) => ({
    text,
    color,
    link: "https://letters.example/go",
  });
  const receipt = {
    name: "Pat Example",
    intro: "Your order is on the truck.",
    table: {
      data: [
        { item: "Chalk line", description: "A reel of thirty metres, blue.", price: "$18.50" },
        { item: "Level", description: "Two metres, with a magnetic edge.", price: "$94.00" },
      ],
      columns: { customAlignment: { price: "right" } },
    },
    action: {
      instructions: "Where it is and when it comes:",
      button: button("Follow it", "#3869D4"),
    },
    outro: "Thank you for ordering from us.",
  };
  const reset = {
    name: "Pat Example",
    intro: "Somebody asked for another password for your account.",
    action: {
      instructions: "Choose one here:",
      button: button("Choose a password", "#DC4D2F"),
    },
    outro: "If it was not you, nothing has to be done.",
  };
  const product = { name: "Example Tools", link: "https://letters.example/" };
  return ["cerberus", "default", "neopolitan", "salted"].flatMap((theme) => {
    const themed = new Mailgen({ theme, product });
    return Object.entries({ receipt, reset }).map(([kind, body]) => ({
      source: "mailgen",
      name: `${theme} ${kind}`,
      html: themed.generate({ body: structuredClone(body) }),
    }));
  });
}

function transactionalTemplate(): Letter[] {
  const folder = folderOf("responsive-html-email-template/package.json");
  return htmlFiles(folder, "responsive-html-email-template").map((letter) => ({
    ...letter,
    html: juice(letter.html),
  }));
}
