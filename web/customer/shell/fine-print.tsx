import { Icon } from "../parts/icon.tsx";
import { shellCopy } from "./page-shell.copy.ts";

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

type FinePrintProps = {
  organizer: string;
  slug: string;
  /** Days in which points of the wheel are to be spent, by reward; null is without end. */
  pointsDays: readonly (number | null)[];
};

/** Until when points can be spent; nothing where none can be won. */
function endOfPoints([days, ...others]: readonly (number | null)[]): string[] {
  if (days === undefined) return [];
  const { pointsEnd } = shellCopy.rules;
  if (others.length > 0) return [pointsEnd.byPrize];
  return [days === null ? pointsEnd.never : pointsEnd.after(days)];
}

/** The rules and what becomes of one's data, in a few plain sentences, where they are needed. */
export function FinePrint({ organizer, slug, pointsDays }: FinePrintProps) {
  const { rules, privacy } = shellCopy;
  const end = endOfPoints(pointsDays);
  // A loss of points is said without a tap; that nothing can be lost is shown on request.
  const isSaid = pointsDays.some((days) => days !== null);
  const links = [
    { href: `/c/${slug}/reglement`, text: rules.full },
    { href: "/legal/privacy", text: privacy.policy },
  ];
  return (
    <div className="text-base">
      {isSaid && <p className="pb-2">{end}</p>}
      <Unfolding
        title={rules.title}
        points={[...rules.points, ...(isSaid ? [] : end), rules.organizer(organizer)]}
      />
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
