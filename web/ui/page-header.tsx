import type { ReactNode } from "react";
import type { Screen } from "../lib/screens.ts";
import { BackLink } from "./back-link.tsx";

type PageHeaderProps = {
  /** The way up, above the title. */
  back?: { to: Screen; label: string };
  title: string;
  text?: string | undefined;
  /** Actions of the page; the primary one at the right. */
  children?: ReactNode;
};

/** The title of a screen of the back-office, with its actions. */
export function PageHeader({ back, title, text, children }: PageHeaderProps) {
  return (
    <header className="grid gap-3">
      {back && <BackLink {...back} />}
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div className="grid min-w-0 gap-1">
          <h1 className="text-2xl wrap-anywhere sm:text-3xl">{title}</h1>
          {text && <p className="max-w-[60ch] text-pretty text-muted wrap-anywhere">{text}</p>}
        </div>
        {children && (
          <div className="flex flex-wrap gap-3 max-sm:w-full max-sm:*:grow">{children}</div>
        )}
      </div>
    </header>
  );
}
