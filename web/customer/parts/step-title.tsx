import { type ReactNode, useEffect, useRef } from "react";

type StepTitleProps = {
  children: ReactNode;
  /** The first step leaves the focus alone; later ones take it, so that they are read out. */
  takesFocus: boolean;
};

/** The title of a step. */
export function StepTitle({ children, takesFocus }: StepTitleProps) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!takesFocus) return;
    window.scrollTo(0, 0);
    title.current?.focus({ preventScroll: true });
  }, [takesFocus]);
  return (
    <h1
      ref={title}
      tabIndex={-1}
      className="text-2xl leading-[1.15] min-[22rem]:text-[1.75rem] font-extrabold tracking-[-0.02em]"
    >
      {children}
    </h1>
  );
}
