import type { MouseEvent, ReactNode } from "react";

const LOOKS = {
  // Beside the brand's sizes: from 14 pt on, bold letters are large ones, and white on the brand's violet is AAA.
  primary:
    "text-[1.1875rem] bg-violet text-on-violet shadow-card hover:bg-violet-strong active:bg-violet-strong disabled:bg-line disabled:text-muted disabled:shadow-none aria-disabled:cursor-default aria-disabled:bg-violet-soft aria-disabled:text-violet-strong aria-disabled:shadow-none",
  secondary:
    "text-lg bg-surface text-ink ring-2 ring-inset ring-field hover:ring-violet active:bg-violet-soft",
  quiet:
    "-my-1.5 text-lg text-ink underline decoration-line decoration-2 underline-offset-4 hover:decoration-violet",
} as const;

type ActionProps = {
  look?: keyof typeof LOOKS;
  children: ReactNode;
  /** A link when given, a button otherwise. */
  href?: string;
  /** Where the link opens; another tab learns nothing of this page. */
  target?: "_blank";
  type?: "button" | "submit";
  isDisabled?: boolean;
  /** Under way: keeps the focus, and further clicks are ignored where they are handled. */
  isBusy?: boolean;
  /** Nothing listens yet: a press is held until something does (`use-lazy-parts.ts`). */
  isWaiting?: boolean;
  onClick?: (event: MouseEvent) => void;
};

/** The full-width button at the thumb, or a link that looks like it. */
export function Action({
  look = "primary",
  children,
  href,
  target,
  type = "button",
  isDisabled,
  isBusy,
  isWaiting,
  onClick,
}: ActionProps) {
  const className = `flex min-h-14 w-full items-center justify-center gap-2 rounded-field px-4 py-3 text-center cursor-pointer leading-tight font-bold transition duration-150 active:scale-[0.985] ${LOOKS[look]}`;
  return href === undefined ? (
    <button
      type={type}
      className={className}
      disabled={isDisabled}
      aria-disabled={isBusy || undefined}
      data-waits={isWaiting || undefined}
      onClick={onClick}
    >
      {children}
    </button>
  ) : (
    <a href={href} className={className} onClick={onClick} target={target}>
      {children}
    </a>
  );
}
