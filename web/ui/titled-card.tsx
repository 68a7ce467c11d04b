import { type ReactNode, useId } from "react";

type TitledCardProps = {
  title: string;
  text?: string | undefined;
  /** Action beside the title. */
  action?: ReactNode;
  children: ReactNode;
};

/** A group of what belongs together, under a title of its own. */
export function TitledCard({ title, text, action, children }: TitledCardProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid min-w-0 content-start gap-5 rounded-card bg-surface p-5 shadow-card sm:p-6"
    >
      <div
        className={`flex flex-wrap justify-between gap-x-4 gap-y-3 ${text ? "items-start" : "items-center"}`}
      >
        <div className="grid min-w-0 gap-1">
          <h2 id={id} className="text-xl">
            {title}
          </h2>
          {text && <p className="max-w-[60ch] text-pretty text-muted">{text}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  );
}
