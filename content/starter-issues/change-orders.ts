import type { StarterIssue } from "./starter-issue.ts";

/** For renovators: extra work agreed in the hallway and never billed. */
export const changeOrders: StarterIssue = {
  title: "The change order you agreed to in the hallway",
  publishDate: "2026-11-16",
  html: `
<p>“While you’re in there, could you move that outlet?” Of course you could. It took an electrician ninety minutes and a patch, and in February it is not on the invoice, because it was agreed to in the hallway of a semi in the Junction, with a coffee in one hand. Old Toronto houses are full of surprises behind the plaster. This issue is about getting them onto paper before they are behind drywall.</p>

<h2>AI Tool Review: voice note to change order</h2>
<p>The kind of tool: you talk into your phone, it writes a tidy document with a description, a price and a place to sign. Some are built into estimating software, and a general assistant with a good set of instructions does nearly as well. Before you trust it with a client, give it thirty minutes on site:</p>
<ol>
<li><strong>Dictate a real change from last month</strong> beside a running table saw. Rooms, sizes, materials, price. Compare the text with what you said, number by number.</li>
<li><strong>Mix your units.</strong> “Twelve feet of two-by-ten, and shim it six millimetres.” It must not convert, round or tidy.</li>
<li><strong>Leave out the price.</strong> It should leave a gap and say so. If it fills one in, it is the wrong tool.</li>
<li><strong>Change your mind halfway.</strong> “Four pot lights, no, six.” Count the lights on the page.</li>
<li><strong>Add a delay.</strong> “This pushes tile to Thursday.” The document should carry the days as well as the dollars. Days are what clients remember.</li>
<li><strong>Send it to your own phone</strong> and read it in sunlight, with gloves on. That is how it will be signed.</li>
</ol>
<p>Our verdict: worth having if you run three or more jobs at once. The writing is not the hard part; doing it before the work starts is. A tool that takes one minute gets used, and one that takes ten does not.</p>

<h2>Success Story: a worked example</h2>
<p><em>No firm’s books were used here. It is a sum to redo with yours: go through your last three finished jobs with the lead hand and list what was done but not billed.</em></p>
<table>
<caption>One kitchen and bath job, before HST</caption>
<thead><tr><th scope="col">Extra agreed to out loud</th><th scope="col">Hours</th><th scope="col">Materials</th><th scope="col">At $70 an hour</th></tr></thead>
<tbody>
<tr><td>Move an outlet and patch</td><td>2</td><td>$40</td><td>$180</td></tr>
<tr><td>Level a floor that was worse than it looked</td><td>6</td><td>$160</td><td>$580</td></tr>
<tr><td>Second coat in the hall, “since you’re here”</td><td>3</td><td>$60</td><td>$270</td></tr>
<tr><td>Reframe around a vent nobody drew</td><td>4</td><td>$50</td><td>$330</td></tr>
<tr><td><strong>Total</strong></td><td><strong>15</strong></td><td><strong>$310</strong></td><td><strong>$1,360</strong></td></tr>
</tbody>
</table>
<p>That is your cost, not your price. At eight such jobs a year it comes to 8&nbsp;×&nbsp;$1,360&nbsp;=&nbsp;<strong>$10,880</strong>, or 120 hours: three weeks of one person’s work, given away politely. You won’t bill all of it, and some favours earn the next job. But a favour written at $0 on a change order is a gift the client has seen. A favour nobody wrote down is just a thin margin.</p>
<p>There’s a legal side as well. Under Ontario’s Consumer Protection Act, 2002, when a contract with a homeowner includes an estimate, the final bill may not be more than 10 per cent above it unless the client agrees to the change. (The Consumer Protection Act, 2023 is meant to replace it and was not in force when we checked, in November 2026.) On a $60,000 estimate that leaves $6,000 of room, and one rotten subfloor can use it up. A yes in writing is what makes the eleventh per cent yours. Have your own lawyer read your form once; it’s a cheap hour.</p>

<h2>Quick Win: photo, price, days, yes</h2>
<p>No software needed. Before the extra work starts, text the client four things:</p>
<blockquote><p>[Photo] Kitchen floor is 32&nbsp;mm out over 3 m once the old tile is off. Levelling it: $900 plus HST, adds 1&nbsp;day, tile moves to Thursday. OK to go ahead? Please reply YES.</p></blockquote>
<ul>
<li>Photo first: the surprise explains itself.</li>
<li>One price and one number of days, with no ranges.</li>
<li>Ask for the word YES, so you can search your phone for it in February.</li>
<li>No reply, no start. Do the next thing on the list instead.</li>
<li>On Friday, copy the week’s yeses onto one numbered change order and have it signed.</li>
</ul>
<p>Try it on a single job for two weeks, and count. If the number is small, your contracts are better than most, and you have lost ten minutes. If it isn’t, you have found the cheapest raise you will ever get.</p>
`.trim(),
};
