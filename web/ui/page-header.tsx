import type { ReactNode } from "react";
import type { Screen } from "../lib/screens.ts";
import { BackLink } from "./back-link.tsx";

type PageHeaderProps = {
  /** The way up, above the title. */
  back?: { to: Screen; label: string };
  title: string;
  text?: string | undefined;
  /** Whether its actions are rarely wanted: on a phone they stay beside the title, as icons. */
  isAside?: boolean;
  /** Actions of the page; the primary one at the right. */
  children?: ReactNode;
};

/** The title of a screen of the back-office, with its actions. */
export function PageHeader({ back, title, text, isAside = false, children }: PageHeaderProps) {
  return (
    <header className="grid gap-3">
      {back && <BackLink {...back} />}
      <div
        className={`flex flex-wrap items-end justify-between gap-x-6 gap-y-4 ${isAside ? "max-sm:flex-nowrap max-sm:items-start" : ""}`}
      >
        <div className="grid min-w-0 gap-1">
          <h1 className="text-2xl wrap-anywhere sm:text-3xl">{title}</h1>
          {text && <p className="max-w-[60ch] text-pretty text-muted wrap-anywhere">{text}</p>}
        </div>
        {children && (
          <div
            data-beside={isAside ? "title" : undefined}
            className={`flex flex-wrap gap-3 ${isAside ? "" : "max-sm:w-full max-sm:*:grow"}`}
          >
            {children}
          </div>
        )}
      </div>
    </header>
  );
}
