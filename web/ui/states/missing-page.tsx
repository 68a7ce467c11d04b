import type { ReactNode } from "react";
import { FallenSegment } from "./fallen-segment.tsx";

type MissingPageProps = {
  title: string;
  text: string;
  /** The way back. */
  children: ReactNode;
};

/** Page for an address that does not exist, or is somebody else's: the same answer. */
export function MissingPage({ title, text, children }: MissingPageProps) {
  return (
    <div className="grid justify-items-center gap-5 px-4 py-16 text-center">
      <FallenSegment className="h-24" />
      <div className="grid gap-2">
        <h1 className="text-2xl">{title}</h1>
        <p className="text-lg text-pretty text-muted">{text}</p>
      </div>
      {children}
    </div>
  );
}
