import { EllipsisVertical, type LucideIcon } from "lucide-react";
import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { useDismissal } from "./use-dismissal.ts";

type MenuProps = {
  /** Label of the button: « Actions pour … ». */
  label: string;
  icon?: LucideIcon;
  /** Attributes of its button beside those that open it. */
  trigger?: ComponentProps<"button">;
  /** The edge that it shares with its button. */
  side?: "left" | "right";
  /** Links and buttons with `role="menuitem"` and the look `MENU_ITEM`. */
  children: ReactNode;
};

/** Look of an entry of a menu. */
export const MENU_ITEM =
  "flex min-h-11 w-full items-center gap-3 rounded-field px-3 text-left font-medium whitespace-nowrap text-ink hover:bg-line/60 focus-visible:bg-line/60";

/** Room between a menu and the edge of the screen, in pixels. */
const EDGE = 8;

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** A button that opens a short list of actions, with the keys that people expect of one. */
export function Menu(props: MenuProps) {
  const { label, icon: Icon = EllipsisVertical, trigger = {}, side = "right", children } = props;
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const root = useDismissal(isOpen, setIsOpen);
  const button = useRef<HTMLButtonElement>(null);

  const items = () => [...(root.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];

  useEffect(() => {
    if (!isOpen) return;
    root.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus({ preventScroll: true });
    const menu = root.current?.querySelector<HTMLElement>("[role=menu]");
    if (!menu) return;
    // A button of a narrow card may stand nearer to the edge than the menu is wide.
    const { left, right } = menu.getBoundingClientRect();
    menu.style.translate = `${Math.max(EDGE - left, Math.min(innerWidth - EDGE - right, 0))}px`;
    menu.scrollIntoView({ block: "nearest" });
  }, [isOpen, root]);

  const close = () => {
    setIsOpen(false);
    button.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen) return;
    if (event.key === "Escape") return close();
    if (event.key === "Tab") return setIsOpen(false);
    const all = items();
    const ends: Readonly<Record<string, number>> = { Home: 0, End: all.length - 1 };
    const step = STEPS[event.key];
    const current = all.findIndex((item) => item.matches(":focus"));
    const next = step ? (current + step + all.length) % all.length : ends[event.key];
    if (next === undefined) return;
    event.preventDefault();
    all[next]?.focus();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the menu inside.
    <div ref={root} className="relative" onKeyDown={onKeyDown}>
      <button
        {...trigger}
        ref={button}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
        className={`grid size-11 place-items-center rounded-field text-muted hover:bg-line/60 hover:text-ink ${trigger.className ?? ""}`}
      >
        <Icon aria-hidden="true" className="size-5" />
      </button>
      {isOpen && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: every entry answers to the keyboard itself.
        <div
          id={id}
          role="menu"
          aria-label={label}
          tabIndex={-1}
          onClick={close}
          className={`absolute z-20 mt-1 grid scroll-mt-4 scroll-mb-24 md:scroll-mb-4 ${side === "left" ? "left-0" : "right-0"} min-w-48 rounded-card border border-line bg-surface p-1.5 shadow-card`}
        >
          {children}
        </div>
      )}
    </div>
  );
}
