import type { StarterIssue } from "./starter-issue.ts";

/** For contractors: the cost of unanswered calls, and how to stop losing them. */
export const missedCalls: StarterIssue = {
  title: "What the missed calls cost, on your own numbers",
  publishDate: "2026-11-02",
  html: `
<p>You are in a crawl space in East York, both hands full, and the phone rings in the truck. The caller has water on the floor. They hang up before your greeting ends and dial the next number on the list. This issue is about that call: what it is worth, which tool is supposed to catch it, and the twenty-minute fix that beats the tool for most crews under ten people.</p>

<h2>AI Tool Review: the answering assistant</h2>
<p>The kind of tool: software that picks up when you don’t, talks to the caller, writes down the job and sends you a text. There are dozens, they change monthly, and every demo is recorded in a quiet office. So test one yourself before you pay. It takes thirty minutes and two people.</p>
<ol>
<li><strong>Call from the basement with the furnace on.</strong> Describe a job in one breath, with a street name on a dead-end lane and a unit number. Check what it wrote.</li>
<li><strong>Use the words of your trade.</strong> Say “backwater valve”, “knob and tube” or “lineset”. If it writes “line sad”, you will be calling everyone back anyway.</li>
<li><strong>Be vague.</strong> “My thing is leaking.” A good one asks where the water is and whether it can be shut off. A poor one offers Thursday.</li>
<li><strong>Be urgent.</strong> Say you smell gas. It should tell you to leave and to call 911 or the gas company, and it should not try to book a visit.</li>
<li><strong>Ask the price of something.</strong> It should say you’ll quote it. If it invents a number, stop the test: a machine has just promised your margin to a stranger.</li>
<li><strong>Interrupt it, then hang up halfway.</strong> See whether half a message still reaches your phone.</li>
</ol>
<p>Then read the contract for three lines: who keeps the recordings, where they are stored, and what a call costs after the free ones. Tell callers they’re speaking with an assistant and that the call is recorded. They are entitled to know, and most are happy to be answered at all.</p>
<p>Our verdict: worth it if you miss more than about ten calls a week <em>and</em> your work comes by phone from strangers. If most of your work comes from builders who text you, skip it.</p>

<h2>Success Story: a worked example</h2>
<p><em>This is arithmetic, not a customer. Put your own numbers in the right-hand column; the phone log on your handset has the first one.</em></p>
<table>
<caption>What a month of missed calls is worth</caption>
<thead><tr><th scope="col">Line</th><th scope="col">Example</th><th scope="col">Yours</th></tr></thead>
<tbody>
<tr><td>A. Missed calls from new numbers, a month</td><td>40</td><td></td></tr>
<tr><td>B. Share that are real jobs, not sales calls</td><td>50%</td><td></td></tr>
<tr><td>C. Share of real ones you reach by calling back</td><td>40%</td><td></td></tr>
<tr><td>D. Share of reached callers who hire you</td><td>30%</td><td></td></tr>
<tr><td>E. Gross margin on a small job</td><td>$350</td><td></td></tr>
</tbody>
</table>
<p>Real callers never reached: A&nbsp;×&nbsp;B&nbsp;× (1&nbsp;−&nbsp;C) = 40&nbsp;× 0.5&nbsp;× 0.6&nbsp;=&nbsp;12. Jobs you would have had: 12&nbsp;× D&nbsp;=&nbsp;3.6. Margin left on the floor: 3.6&nbsp;×&nbsp;E&nbsp;=&nbsp;<strong>$1,260 a&nbsp;month</strong>.</p>
<p>Now the honest part. Nothing catches all twelve. If a text-back or an assistant catches a third, the figure is $420, and that is the number to hold against the bill. If your own answer comes out under $100, turn the page and fix something else.</p>
<p>Line C is the one that moves. Harvard Business Review reported in March 2011 (“The Short Life of Online Sales Leads”) that firms which tried to contact an online inquiry within an hour were nearly seven times as likely to qualify it as those that tried even an hour later. Those were web inquiries, not burst pipes, but nobody has ever grown more patient on the phone.</p>

<h2>Quick Win: the missed-call text</h2>
<p>Most business phone plans and nearly every scheduling app can send a text when a call goes unanswered. Turn it on with these words and nothing else:</p>
<blockquote><p>Sorry I missed you, I’m on a job. It’s Sam at [company]. Text me the address and what’s wrong, and I’ll answer by 5. If water is running, shut the main valve first.</p></blockquote>
<ul>
<li>Use a name. People answer Sam; they don’t answer a department.</li>
<li>Promise a time you’ll keep. “By 5” is better than “soon”.</li>
<li>Leave out offers and links. They called you, so an answer is welcome; an advertisement is a different matter under Canada’s anti-spam law.</li>
<li>Test it from a phone that isn’t in your contacts.</li>
</ul>
<p>Write down how many texts come back this week. Next Monday you will have a real number for line C, and it will be better than any figure in this issue.</p>
`.trim(),
};
