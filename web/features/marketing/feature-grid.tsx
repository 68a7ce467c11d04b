import {
  ChartColumn,
  LockKeyhole,
  type LucideIcon,
  MessageCircle,
  ShieldCheck,
  Store,
} from "lucide-react";
import { WheelMark } from "../../ui/wheel-mark.tsx";
import { landingCopy } from "./landing.copy.ts";

const copy = landingCopy.features;

type IconName = (typeof copy.list)[number]["icon"];

const ICONS: Readonly<Record<Exclude<IconName, "wheel">, LucideIcon>> = {
  shield: ShieldCheck,
  chart: ChartColumn,
  store: Store,
  message: MessageCircle,
  lock: LockKeyhole,
};

function FeatureIcon({ name }: { name: IconName }) {
  if (name === "wheel") return <WheelMark className="h-9 w-auto" />;
  const Icon = ICONS[name];
  return <Icon aria-hidden="true" className="size-8 text-violet" />;
}

/** The six things that it does (specification, section 1). */
export function FeatureGrid() {
  return (
    <section
      id="fonctionnalites"
      aria-labelledby="fonctionnalites-titre"
      className="mx-auto w-full max-w-6xl scroll-mt-16 px-4 py-16 sm:px-8 lg:py-20"
    >
      <h2 id="fonctionnalites-titre" className="max-w-2xl text-2xl text-balance sm:text-3xl">
        {copy.title}
      </h2>
      <ul className="mt-10 grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
        {copy.list.map(({ icon, title, text }) => (
          <li key={title} className="rounded-card bg-surface p-6 shadow-card ring-1 ring-line">
            <FeatureIcon name={icon} />
            <h3 className="mt-4 text-xl font-bold">{title}</h3>
            <p className="mt-2 text-pretty text-muted">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
