import { shellCopy } from "./page-shell.copy.ts";
import { Icon } from "./parts/icon.tsx";

function Unfolding({ title, points }: { title: string; points: readonly string[] }) {
  return (
    <details className="group">
      <summary className="flex min-h-11 w-fit cursor-pointer list-none items-center gap-1 pr-3 text-muted group-open:text-ink hover:text-violet">
        <Icon
          name="chevron"
          className="size-5 transition-transform duration-150 group-open:rotate-90"
        />
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
export function FinePrint({ organizer, slug }: { organizer: string; slug: string }) {
  const { rules, privacy } = shellCopy;
  const links = [
    { href: `/c/${slug}/reglement`, text: rules.full },
    { href: "/legal/privacy", text: privacy.policy },
  ];
  return (
    <div className="text-base">
      <Unfolding title={rules.title} points={[...rules.points, rules.organizer(organizer)]} />
      <Unfolding title={privacy.title} points={privacy.points(organizer)} />
      {links.map(({ href, text }) => (
        <a
          key={href}
          href={href}
          className="flex min-h-11 w-fit items-center pr-3 pl-6 text-muted hover:text-violet"
        >
          {text}
        </a>
      ))}
    </div>
  );
}
