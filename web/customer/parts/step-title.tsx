import { type ReactNode, useEffect, useRef, useState } from "react";

type StepTitleProps = {
  children: ReactNode;
  /** The first step leaves the focus alone; later ones take it, so that they are read out. */
  takesFocus: boolean;
};

/** The title of a step. */
export function StepTitle({ children, takesFocus }: StepTitleProps) {
  const title = useRef<HTMLHeadingElement>(null);
  // When the step appears, and not again while it lasts: a title may change under one's hand.
  const [isWanted] = useState(takesFocus);
  useEffect(() => {
    if (!isWanted) return;
    window.scrollTo(0, 0);
    title.current?.focus({ preventScroll: true });
  }, [isWanted]);
  return (
    <h1
      ref={title}
      tabIndex={-1}
      className="text-xl leading-[1.15] min-[22rem]:text-2xl font-bold tracking-[-0.02em]"
    >
      {children}
    </h1>
  );
}
