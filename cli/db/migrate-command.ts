import { type Run, siteCommand } from "../site-command.ts";

export function migrateCommand(run: Run) {
  return siteCommand("migrate", {
    summary: "Bring the database's tables up to date",
    details:
      "npm start does this by itself, and so does every command that opens the database; run it\nalone to do it before a start. A new SQLite database also gets its starter issues.",
    examples: [["db migrate", "Apply the migrations that are missing"]],
  }).action(
    run((context) =>
      context.withStore(async ({ kind, location, migrated, seeded }) => {
        const lines =
          migrated.length === 0
            ? ["Up to date; nothing to do."]
            : [`Applied ${migrated.length}:`, ...migrated.map((name) => `  ${name}`)];
        if (seeded > 0) lines.push(`Added ${seeded} starter issues to the new database.`);
        return {
          json: { kind, location, migrated, starterIssues: seeded },
          text: [`Database: ${location}`, ...lines].join("\n"),
        };
      }),
    ),
  );
}
