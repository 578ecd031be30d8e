/** `html` is a fragment; `publishDate` is `YYYY-MM-DD`. */
type StarterIssue = { title: string; publishDate: string; html: string };

/** For contractors: the cost of unanswered calls, and how to stop losing them. */
const missedCalls: StarterIssue = {
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
<thead><tr><th scope="col">Line</th><th scope="col" style="text-align:right">Example</th><th scope="col">Yours</th></tr></thead>
<tbody>
<tr><td>A. Missed calls from new numbers, a month</td><td style="text-align:right">40</td><td></td></tr>
<tr><td>B. Share that are real jobs, not sales calls</td><td style="text-align:right">50%</td><td></td></tr>
<tr><td>C. Share of real ones you reach by calling back</td><td style="text-align:right">40%</td><td></td></tr>
<tr><td>D. Share of reached callers who hire you</td><td style="text-align:right">30%</td><td></td></tr>
<tr><td>E. Gross margin on a small job</td><td style="text-align:right">$350</td><td></td></tr>
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

/** For renovators: extra work agreed in the hallway and never billed. */
const changeOrders: StarterIssue = {
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
<p><em>We made these numbers up; yours will be better. Go through your last three finished jobs with the lead hand and list what was done but not billed.</em></p>
<table>
<caption>One kitchen and bath job, before HST</caption>
<thead><tr><th scope="col">Extra agreed to out loud</th><th scope="col" style="text-align:right">Hours</th><th scope="col" style="text-align:right">Materials</th><th scope="col" style="text-align:right">At $70 an hour</th></tr></thead>
<tbody>
<tr><td>Move an outlet and patch</td><td style="text-align:right">2</td><td style="text-align:right">$40</td><td style="text-align:right">$180</td></tr>
<tr><td>Level a floor that was worse than it looked</td><td style="text-align:right">6</td><td style="text-align:right">$160</td><td style="text-align:right">$580</td></tr>
<tr><td>Second coat in the hall, “since you’re here”</td><td style="text-align:right">3</td><td style="text-align:right">$60</td><td style="text-align:right">$270</td></tr>
<tr><td>Reframe around a vent nobody drew</td><td style="text-align:right">4</td><td style="text-align:right">$50</td><td style="text-align:right">$330</td></tr>
<tr><td><strong>Total</strong></td><td style="text-align:right"><strong>15</strong></td><td style="text-align:right"><strong>$310</strong></td><td style="text-align:right"><strong>$1,360</strong></td></tr>
</tbody>
</table>
<p>That is your cost, not your price. At eight such jobs a year it comes to 8&nbsp;× $1,360 =&nbsp;<strong>$10,880</strong>, or 120 hours: three weeks of one person’s work, given away politely. You won’t bill all of it, and some favours earn the next job. But a favour written at $0 on a change order is a gift the client has seen. A favour nobody wrote down is just a thin margin.</p>
<p>There’s a legal side as well. Under Ontario’s Consumer Protection Act, 2002, when a contract with a homeowner includes an estimate, the final bill may not be more than 10% above it unless the client agrees to the change. (The Consumer Protection Act, 2023 is meant to replace it and was not in force when we checked, in November 2026.) On a $60,000 estimate that leaves $6,000 of room, and one rotten subfloor can use it up. A yes in writing is what makes the eleventh per cent yours. Have your own lawyer read your form once; it’s a cheap hour.</p>

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

/** For real-estate agents: the first reply to an inquiry, and what a writing tool may do. */
const firstReply: StarterIssue = {
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
<p><em>Arithmetic, not a client. Your inbox can supply the first line: count last month’s inquiries that arrived after 6 PM or on a weekend.</em></p>
<table>
<caption>One month of evening inquiries, answered next morning or at once</caption>
<thead><tr><th scope="col">Line</th><th scope="col" style="text-align:right">Next morning</th><th scope="col" style="text-align:right">At once</th></tr></thead>
<tbody>
<tr><td>Evening and weekend inquiries</td><td style="text-align:right">30</td><td style="text-align:right">30</td></tr>
<tr><td>Share that turn into a conversation</td><td style="text-align:right">10%</td><td style="text-align:right">20%</td></tr>
<tr><td>Conversations</td><td style="text-align:right">3</td><td style="text-align:right">6</td></tr>
<tr><td>Share of conversations that become clients</td><td style="text-align:right">10%</td><td style="text-align:right">10%</td></tr>
<tr><td>New clients in a year (× 12)</td><td style="text-align:right">3.6</td><td style="text-align:right">7.2</td></tr>
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

/** The three issues of a new archive, oldest first. */
export const starterIssues: readonly StarterIssue[] = [missedCalls, firstReply, changeOrders];
