import { DatabaseSync } from "node:sqlite";
import type { ImportedSubscriber } from "#newsletter/imported-subscriber.ts";
import type { ListedState } from "./list-format.ts";
import type { ListedSubscriber } from "./read-listed-subscriber.ts";

/** Of SQLite's page cache, in kibibytes; what is beyond goes to its temporary file. */
const cacheKib = 32_768;
/** Rows of one transaction of the temporary file. */
const rowsATransaction = 10_000;

/**
 * A list on its way into the database: every mailbox once, in the order of the file, in a temporary file of SQLite's that
 * goes when it's closed, so that a list of a million is in memory at no time. Of two rows of one mailbox the one counts
 * that was confirmed, bounced or left last, and at one time the one that keeps mail away.
 */
export class StagedList implements Disposable {
  readonly #file = new DatabaseSync("");
  readonly #insert;
  #rows = 0;

  constructor() {
    this.#file.exec(`pragma journal_mode = off; pragma synchronous = off;
      pragma cache_size = -${cacheKib};
      create table listed (id integer primary key, mailbox text not null unique, state text not null,
        rank integer not null, decided_at text not null, subscriber text not null) strict;
      begin`);
    this.#insert = this.#file.prepare(`insert into listed
      (mailbox, state, rank, decided_at, subscriber) values (?, ?, ?, ?, ?)
      on conflict (mailbox) do update set state = excluded.state, rank = excluded.rank,
        decided_at = excluded.decided_at, subscriber = excluded.subscriber
      where (excluded.decided_at, excluded.rank) > (listed.decided_at, listed.rank)`);
  }

  add({ mailbox, state, subscriber }: ListedSubscriber): void {
    const { unsubscribedAt, bouncedAt, confirmedAt } = subscriber;
    const decidedAt = unsubscribedAt ?? bouncedAt ?? confirmedAt ?? "";
    this.#insert.run(mailbox, state, ranks[state], decidedAt, JSON.stringify(subscriber));
    this.#rows += 1;
    if (this.#rows % rowsATransaction === 0) this.#file.exec("commit; begin");
  }

  /** Mailboxes by state, and how many rows repeated one. */
  count(): { mailboxes: number; repeated: number; states: Record<ListedState, number> } {
    const states = { confirmed: 0, unconfirmed: 0, bounced: 0, unsubscribed: 0 };
    const counted = this.#file.prepare("select state, count(*) as n from listed group by state");
    for (const row of counted.iterate()) states[row.state as ListedState] = Number(row.n);
    const mailboxes = Object.values(states).reduce((sum, n) => sum + n, 0);
    return { mailboxes, repeated: this.#rows - mailboxes, states };
  }

  *subscribers(): Generator<ImportedSubscriber> {
    for (const row of this.#file.prepare("select subscriber from listed order by id").iterate()) {
      yield JSON.parse(String(row.subscriber));
    }
  }

  [Symbol.dispose](): void {
    this.#file.close();
  }
}

const ranks: Record<ListedState, number> = {
  unconfirmed: 0,
  confirmed: 1,
  bounced: 2,
  unsubscribed: 3,
};
