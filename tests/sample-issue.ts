const subjects = [
  "the phone that nobody answers",
  "quotes that go out on Friday",
  "invoices typed twice",
  "the crew's hours",
  "a supplier's price list",
  "photos from the site",
  "the Monday meeting",
  "a tenant's third reminder",
  "the listing that waits for words",
  "change orders on the tailgate",
  "permits and their dates",
  "warranty calls in January",
];

const sentences = [
  "A plumber in Etobicoke wrote down every call for a week, and eleven of forty came after six.",
  "The tool reads the voicemail, guesses the street and puts it on the map; twice it guessed wrong.",
  "Nobody reads a quote of nine pages, so put the sum, the date and the word yes on the first.",
  "What took two evenings takes eleven minutes, and somebody still has to look at it.",
  "Before you pay for anything, count how often it happens and what an hour costs you.",
  "The electrician's daughter wrote the first version on paper, which is why it works.",
  "If the price list changes on Tuesday, the template has to change on Tuesday.",
  "We tried three of them on the same ten letters and kept the one that asked when it didn't know.",
  "It doesn't replace the foreman; it replaces the foreman's third notebook.",
  "Write the reply once, well, and let the machine fill in the name and the Thursday.",
  "An hour saved at the kitchen table is worth more than one saved at the desk.",
  "The broker in Markham lost two leads to the slow inbox and none since.",
];

/** What thousands of words are made of, so that a beginning of three letters stands for hundreds of them, as in English. */
export const wordBeginnings =
  "con pro com per tra int dis pre sub exp ret imp mar for inv res car par min sta pla ref app pan".split(
    " ",
  );
const wordMiddles =
  "tai ver ple gra den ril sto mec fla vou bri cu lep ond dri sha tem lo pi wen ga hou ket ri".split(
    " ",
  );
const wordEndings = "n ting r tion l ment d nce ble st ty rk".split(" ");
const vocabulary = wordBeginnings.length * wordMiddles.length * wordEndings.length;

/** The word of a rank, from 0; no two alike. */
function wordOf(rank: number): string {
  const beginning = wordBeginnings[rank % wordBeginnings.length] ?? "";
  const rest = Math.floor(rank / wordBeginnings.length);
  const ending = wordEndings[Math.floor(rest / wordMiddles.length)] ?? "";
  return beginning + wordMiddles[rest % wordMiddles.length] + ending;
}

const sentenceWords = 14;

/** A sentence of words of which each comes the rarer the higher its rank is, by Zipf's law; the same each time. */
function variedSentence(seed: number): string {
  let state = seed;
  // Mulberry32.
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const words = Array.from({ length: sentenceWords }, () =>
    wordOf(Math.floor(vocabulary ** random()) - 1),
  ).join(" ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** The title of the issue of an index, counted from 0; no two alike. */
export function sampleTitle(index: number): string {
  return `No. ${index + 1}: ${subjects[index % subjects.length]}, ${wordOf(index % vocabulary)}`;
}

/** The body of the issue of an index: email-like HTML of about so many bytes, and the same each time. */
export function sampleBody(index: number, bytes: number): string {
  const parts = [`<h2>What we tried: ${subjects[index % subjects.length]}</h2>`];
  let length = 0;
  for (let at = index; length < bytes; at += 1) {
    const part = samplePart(index, at);
    parts.push(part);
    length += part.length + 1;
  }
  return parts.join("\n");
}

function samplePart(index: number, at: number): string {
  const sentence = (offset: number) =>
    offset % 2 === 0
      ? sentences[(at * 7 + offset * 5) % sentences.length]
      : variedSentence(index * 1_000_003 + at * 11 + offset);
  switch (at % 6) {
    case 0:
      return `<h3 style="color:#1f3a5f">Step ${at - index + 1}: ${subjects[at % subjects.length]}</h3>`;
    case 1:
      return `<ul>\n<li><strong>${sentence(0)}</strong></li>\n<li>${sentence(1)}</li>\n<li>${sentence(2)}</li>\n</ul>`;
    case 2:
      return `<table width="100%" cellpadding="6"><tr><td>Before</td><td align="right">$${(at * 37) % 2_000}</td></tr><tr><td>After</td><td align="right">$${(at * 11) % 700}</td></tr></table>`;
    case 3:
      return `<p style="margin:0 0 16px">${sentence(3)} <a href="https://example.com/letters/${index}/${at}">${sentence(1)}</a></p>`;
    default:
      return `<p style="margin:0 0 16px;line-height:1.5">${[0, 1, 2, 3].map(sentence).join(" ")}</p>`;
  }
}
