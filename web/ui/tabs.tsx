import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";

type TabsProps<Name extends string> = {
  /** Subject of the tabs, said aloud. */
  label: string;
  tabs: readonly { name: Name; label: string }[];
  current: Name;
  onChange: (name: Name) => void;
  /** Panel of the current tab. */
  children: ReactNode;
};

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** Tabs, with the arrow keys that people expect of them. */
export function Tabs<Name extends string>(props: TabsProps<Name>) {
  const { label, tabs, current, onChange, children } = props;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const index = tabs.findIndex(({ name }) => name === current);
    const next = (index + step + tabs.length) % tabs.length;
    const tab = tabs[next];
    if (!tab) return;
    onChange(tab.name);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  };

  return (
    <div className="grid gap-6">
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        onKeyDown={onKeyDown}
        // More than three do not fit side by side on a phone.
        className={`grid gap-1 rounded-card bg-line/60 p-1 ${tabs.length > 3 ? "grid-cols-2 sm:grid-cols-4" : "auto-cols-fr grid-flow-col"}`}
      >
        {tabs.map((tab) => {
          const isCurrent = tab.name === current;
          return (
            <button
              key={tab.name}
              type="button"
              role="tab"
              id={`${id}-${tab.name}`}
              aria-selected={isCurrent}
              aria-controls={`${id}-panel`}
              tabIndex={isCurrent ? 0 : -1}
              onClick={() => onChange(tab.name)}
              className="min-h-11 rounded-field px-3 font-semibold text-muted transition-colors duration-150 hover:text-ink aria-selected:bg-surface aria-selected:text-ink aria-selected:shadow-card dark:aria-selected:bg-field/50"
            >
              {tab.label}
            </button>
          );
        })}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current}`}>
        {children}
      </div>
    </div>
  );
}
