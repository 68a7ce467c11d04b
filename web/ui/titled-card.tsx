import { ChevronDown } from "lucide-react";
import { type ReactNode, useId, useState } from "react";

type TitledCardProps = {
  title: string;
  text?: string | undefined;
  /** Action beside the title. */
  action?: ReactNode;
  /** On a phone only the title shows until it is pressed. */
  folds?: boolean;
  children: ReactNode;
};

/** A group of what belongs together, under a title of its own. */
export function TitledCard({ title, text, action, folds = false, children }: TitledCardProps) {
  const id = useId();
  const contentId = useId();
  const [isOpen, setIsOpen] = useState(false);
  const folded = folds && !isOpen ? "max-sm:hidden" : "";
  return (
    <section
      aria-labelledby={id}
      className="grid min-w-0 content-start gap-5 rounded-card bg-surface p-5 shadow-card sm:p-6"
    >
      <div
        className={`relative flex flex-wrap justify-between gap-x-4 gap-y-3 ${folds ? "max-sm:pr-10" : ""} ${text ? "items-start" : "items-center"}`}
      >
        <div className="grid min-w-0 gap-1">
          <h2 id={id} className="text-xl">
            {title}
          </h2>
          {text && <p className={`max-w-[60ch] text-pretty text-muted ${folded}`}>{text}</p>}
        </div>
        {action}
        {folds && (
          <button
            type="button"
            aria-labelledby={id}
            aria-expanded={isOpen}
            aria-controls={contentId}
            onClick={() => setIsOpen(!isOpen)}
            className="absolute -inset-x-5 -top-5 flex min-h-17 justify-end rounded-card p-5 sm:hidden"
          >
            <ChevronDown
              aria-hidden="true"
              className={`mt-0.5 size-6 text-muted ${isOpen ? "rotate-180" : ""}`}
            />
          </button>
        )}
      </div>
      {folds ? (
        <div id={contentId} className={`grid min-w-0 content-start gap-5 ${folded}`}>
          {children}
        </div>
      ) : (
        children
      )}
    </section>
  );
}
