import { uiCopy } from "../../ui/ui.copy.ts";
import { settingsCopy } from "./settings.copy.ts";

const CARDS = ["organization", "stores", "notifications"] as const;

/** The shape of the settings while they are on their way. */
export function SettingsSkeleton() {
  return (
    <div className="grid gap-8">
      <h1 className="text-2xl sm:text-3xl">{settingsCopy.title}</h1>
      <p role="status" className="sr-only">
        {uiCopy.loading}
      </p>
      <div aria-hidden="true" className="grid animate-pulse gap-6 lg:grid-cols-[1fr_20rem]">
        <div className="grid gap-6">
          {CARDS.map((card) => (
            <div key={card} className="h-56 rounded-card bg-surface shadow-card" />
          ))}
        </div>
        <div className="grid content-start gap-6">
          {CARDS.map((card) => (
            <div key={card} className="h-44 rounded-card bg-surface shadow-card" />
          ))}
        </div>
      </div>
    </div>
  );
}
