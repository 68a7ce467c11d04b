const BASE =
  "inline-flex items-center justify-center gap-2.5 rounded-field py-1.5 font-semibold transition-colors duration-150 ease-out aria-disabled:cursor-default";

const VARIANTS = {
  /** The one thing to do. */
  primary: "bg-violet text-on-violet hover:bg-violet-strong",
  /** Another action beside the main one. */
  secondary: "border-[1.5px] border-field bg-surface text-ink hover:border-ink",
  /** Out of the way. */
  quiet: "text-ink hover:bg-line/60",
  /** The one thing to do, on a surface of full colour. */
  stark:
    "bg-ink text-paper hover:bg-ink/85 dark:bg-paper dark:text-ink dark:hover:bg-paper/80 [--focus:currentColor]",
  /** Another action, on a surface of full colour. */
  outline: "border-2 border-current hover:bg-white/20",
} as const;

const SIZES = {
  /** The smallest that a finger hits. */
  md: "min-h-11 px-4 text-base",
  /** For the thumb, at arm's length. */
  lg: "min-h-15 px-4 text-lg",
} as const;

export type ButtonLook = { variant?: keyof typeof VARIANTS; size?: keyof typeof SIZES };

/** Look of a button, for what is a link and looks like one. */
export function buttonClass({ variant = "primary", size = "md" }: ButtonLook = {}): string {
  return `${BASE} ${VARIANTS[variant]} ${SIZES[size]}`;
}
