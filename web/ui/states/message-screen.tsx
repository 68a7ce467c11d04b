import type { ReactNode } from "react";
import { FallenSegment } from "./fallen-segment.tsx";

type MessageScreenProps = {
  title: string;
  text: string;
  /** Ways on from here. */
  children?: ReactNode;
  /** Whether it replaces a screen: the page has its frame already. */
  isWithin?: boolean | undefined;
  /** Answers what was just pressed, and is read out. */
  takesFocus?: boolean;
};

/** The same for every render: React calls it once. */
export const takeFocus = (heading: HTMLElement | null) => heading?.focus();

/** A whole screen that says one thing: nothing here, something broke, no access. */
export function MessageScreen({
  title,
  text,
  children,
  isWithin = false,
  takesFocus = false,
}: MessageScreenProps) {
  const Frame = isWithin ? "div" : "main";
  return (
    <Frame
      role={isWithin ? "alert" : undefined}
      className={`grid place-content-center justify-items-center gap-8 p-6 text-center ${isWithin ? "min-h-[60dvh]" : "min-h-dvh"}`}
    >
      <FallenSegment className="h-28" />
      <div className="grid max-w-md gap-3">
        <h1
          className="text-2xl outline-none sm:text-3xl"
          {...(takesFocus && { ref: takeFocus, tabIndex: -1 })}
        >
          {title}
        </h1>
        <p className="text-lg text-pretty text-muted">{text}</p>
      </div>
      {children && <div className="flex flex-wrap justify-center gap-3">{children}</div>}
    </Frame>
  );
}
