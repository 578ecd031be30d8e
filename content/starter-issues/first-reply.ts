import type { StarterIssue } from "./starter-issue.ts";

/** For real-estate agents: the first reply to an inquiry, and what a writing tool may do. */
export const firstReply: StarterIssue = {
  title: "The first reply is the showing",
  publishDate: "2026-11-09",
  html: `
<p>An inquiry comes in at 9:40 on a Tuesday night: <em>Is the Leslieville semi still available?</em> You are at an offer presentation in Mississauga until eleven. By then the buyer has written to three other agents, and one of them answered from her couch. This week: what that hour costs, a fair test for the tools that write listings, and a reply you can set up before lunch.</p>

<h2>AI Tool Review: the listing writer</h2>
<p>The kind of tool: you give it the facts and the photos, it gives you the description. It saves perhaps half an hour a listing. What it can cost is worse than half an hour, because the description goes out under your name and your brokerage’s.</p>
<p>Test it on a property you’ve already sold, so you know every answer. Thirty minutes:</p>
<ol>
<li><strong>Give it facts only.</strong> Beds, baths, lot, taxes, parking, three true remarks. Count every claim in its text that you didn’t give it. “Steps to transit” is a claim. So is “quiet street”.</li>
<li><strong>Leave something out.</strong> Say nothing about the basement. If it writes “finished basement” or “in-law potential”, it is guessing, and a buyer may hold you to the guess.</li>
<li><strong>Give it a flaw.</strong> Shared driveway, tenant in place, sloping floor. See whether it says so plainly, hides it, or turns it into “character”.</li>
<li><strong>Watch who it says the home is for.</strong> “Perfect for a young family” and “ideal for professionals” are about people, not about a house. Ontario’s Human Rights Code has views on that. Strike them.</li>
<li><strong>Read it aloud.</strong> Every “nestled”, “boasts” and “must-see” is one the buyer has already read today.</li>
</ol>
<p>Score it simply: invented claims, times five minutes each to find and remove. Three claims and your saving is half gone. Whatever comes out, check it against the listing’s own data sheet line by line, and remember that advertising answers to the Trust in Real Estate Services Act and to your broker of record, neither of whom will accept “the computer wrote it”.</p>
<p>Our verdict: useful for a first draft and for a shorter second version. Never publish what you haven’t verified, and never feed it a client’s private details.</p>

<h2>Success Story: a worked example</h2>
<p><em>Arithmetic, not a client. Your inbox can supply the first line: count last month’s inquiries that arrived after 6 p.m. or on a weekend.</em></p>
<table>
<caption>One month of evening inquiries, answered next morning or at once</caption>
<thead><tr><th scope="col">Line</th><th scope="col">Next morning</th><th scope="col">At once</th></tr></thead>
<tbody>
<tr><td>Evening and weekend inquiries</td><td>30</td><td>30</td></tr>
<tr><td>Share that turn into a conversation</td><td>10%</td><td>20%</td></tr>
<tr><td>Conversations</td><td>3</td><td>6</td></tr>
<tr><td>Share of conversations that become clients</td><td>10%</td><td>10%</td></tr>
<tr><td>New clients in a year (× 12)</td><td>3.6</td><td>7.2</td></tr>
</tbody>
</table>
<p>The 10% and 20% are assumptions, picked to be modest. The published research goes further: Harvard Business Review, March 2011, found that firms which tried to contact an inquiry within an hour were nearly seven times as likely to qualify it as those that tried even an hour later; Velocify, in a study of 3.5&nbsp;million leads, reported 391% more conversions when the call came within a minute. Neither study was about Toronto condos, and a qualified inquiry is not yet a client, so the table asks only for a doubling.</p>
<p>To find your own figures, answer every second evening inquiry right away for a month and the rest as you do now. That costs nothing and settles the argument.</p>

<h2>Quick Win: three questions, sent in one minute</h2>
<p>Set an automatic reply on your inquiry form and your after-hours inbox. It should answer, ask, and promise:</p>
<blockquote><p>Thanks for writing about [address]. I’ll confirm by 9 tomorrow morning whether it is still available. Meanwhile, three quick ones: are you working with an agent already? Is there a date you need to move by? And would a weekday evening or a Saturday suit you for a showing?</p></blockquote>
<ul>
<li>The first question keeps you on the right side of another agent’s agreement.</li>
<li>The second tells you whom to call first.</li>
<li>The third gives them something easy to answer, and people who answer once answer again.</li>
</ul>
<p>For a condo, add one line that nobody else sends: <em>Ask me about the status certificate.</em> In Ontario the corporation has ten days to provide one, so the buyer who hears about it in the first message is the buyer who is ready on offer night.</p>
`.trim(),
};
