import { type FormEvent, useState } from "react";
import { inbox } from "#content/objects.ts";
import { piece } from "../alive/piece.tsx";
import { Button } from "../ui/button.tsx";

export const Inbox = piece("Inbox", () => {
  const [own, setOwn] = useState<readonly string[]>([]);

  function sort(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const field = event.currentTarget.elements.namedItem("message") as HTMLInputElement;
    const message = field.value.trim();
    if (message) setOwn((others) => [message, ...others.filter((other) => other !== message)]);
    field.value = "";
  }

  return (
    <div className="sheet lifted inbox">
      <form className="object field-row with-scripts" onSubmit={sort}>
        <input
          className="field-input"
          name="message"
          aria-label={inbox.own}
          placeholder={inbox.example}
          autoComplete="off"
          maxLength={120}
        />
        <Button type="submit" variant="plain" data-press="">
          {inbox.sort}
        </Button>
      </form>
      <div role="log">
        {own.slice(0, 3).map((message) => (
          <Message key={message} message={message} isOpen />
        ))}
      </div>
      {inbox.messages.map((message) => (
        <Message key={message} message={message} />
      ))}
    </div>
  );
});

function Message({ message, isOpen = false }: { message: string; isOpen?: boolean }) {
  const { to, says } = ruleFor(message);
  return (
    <details open={isOpen}>
      <summary>{message}</summary>
      <p className="small">
        <b>{inbox.filed(to)}</b> {says}
      </p>
    </details>
  );
}

export function ruleFor(message: string) {
  const plain = ` ${message.toLowerCase().replaceAll(/[^\p{L}\p{N}$%]+/gu, " ")}`;
  const fits = (word: string) => plain.includes(` ${word}`);
  return inbox.rules.find(({ words }) => words.some(fits)) ?? inbox.noRule;
}
