import type { ComponentProps, ReactNode, Ref } from "react";
import { type ButtonLook, buttonClass } from "./button-class.ts";
import { SegmentSpinner } from "./states/segment-spinner.tsx";

type ButtonProps = Omit<ComponentProps<"button">, "disabled"> &
  ButtonLook & {
    /** At work: shows it and takes no further click, but keeps the focus. */
    busy?: boolean;
    /** Takes no click for now, but keeps the focus and stays readable. */
    waiting?: boolean;
    /** Something is still missing in its form: a press sends nothing, and the form says what. */
    incomplete?: boolean;
  };

/** A button. Never `disabled`, which would lose the focus. */
export function Button(props: ButtonProps) {
  const { variant, size, busy = false, waiting = false, className = "", ...others } = props;
  const { incomplete = false, ...rest } = others;
  const { type = "button", onClick, children, ...button } = rest;
  const isOff = busy || waiting;
  const look: ButtonLook = { ...(variant && { variant }), ...(size && { size }) };
  return (
    <button
      type={type}
      className={`${buttonClass(look)} ${waiting || incomplete ? "opacity-65" : ""} ${className}`}
      aria-disabled={isOff || incomplete || undefined}
      aria-busy={busy || undefined}
      onClick={isOff ? (event) => event.preventDefault() : onClick}
      {...button}
    >
      {busy && <SegmentSpinner />}
      {children}
    </button>
  );
}

type ButtonRowProps = {
  /** Buttons share the width of a phone. */
  isWide?: boolean;
  /** On a phone each button has a line of its own. */
  isStacked?: boolean;
  ref?: Ref<HTMLDivElement>;
  className?: string;
  children: ReactNode;
};

/**
 * The buttons that end a form or a dialog, the main one last; above the others where they do not fit beside each other. Tab takes
 * them as they are seen, in browsers with `reading-flow`.
 */
export function ButtonRow(props: ButtonRowProps) {
  const { isWide = false, isStacked = false, ref, className = "", children } = props;
  return (
    <div
      ref={ref}
      className={`flex flex-wrap-reverse justify-end gap-3 [reading-flow:flex-visual] ${isWide ? "max-sm:*:grow" : ""} ${isStacked ? "max-sm:*:basis-full" : ""} ${className}`}
    >
      {children}
    </div>
  );
}
