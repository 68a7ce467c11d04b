import { shellCopy } from "./page-shell.copy.ts";

function Unfolding({ title, points }: { title: string; points: readonly string[] }) {
  return (
    <details className="group">
      <summary className="flex min-h-11 cursor-pointer items-center font-semibold text-muted underline decoration-line decoration-2 underline-offset-4 group-open:text-ink hover:decoration-violet">
        {title}
      </summary>
      <ul className="grid list-disc gap-2 pb-3 pl-5 text-ink">
        {points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
    </details>
  );
}

/** The rules and what becomes of one's data, in a few plain sentences, where they are needed. */
export function FinePrint({ organizer }: { organizer: string }) {
  const { rules, privacy } = shellCopy;
  return (
    <div className="text-base">
      <Unfolding title={rules.title} points={[...rules.points, rules.organizer(organizer)]} />
      <Unfolding title={privacy.title} points={privacy.points(organizer)} />
    </div>
  );
}
