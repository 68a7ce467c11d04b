import type { ReactNode } from "react";

type PageHeaderProps = {
  title: string;
  text?: string | undefined;
  /** What can be done here; the primary action at the right. */
  children?: ReactNode;
};

/** The title of a screen of the back-office, with its actions. */
export function PageHeader({ title, text, children }: PageHeaderProps) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <div className="grid min-w-0 gap-1">
        <h1 className="text-2xl break-words sm:text-3xl">{title}</h1>
        {text && <p className="truncate text-muted">{text}</p>}
      </div>
      {children && <div className="flex flex-wrap gap-3">{children}</div>}
    </div>
  );
}
