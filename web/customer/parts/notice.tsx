import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";

const LOOKS = {
  problem: "bg-coral-soft text-coral-ink",
  caution: "bg-sun-soft text-sun-ink",
} as const;

type NoticeProps = { look: keyof typeof LOOKS; title: string; children?: ReactNode };

/** Something that a person must know before going on; a problem is said aloud at once. */
export function Notice({ look, title, children }: NoticeProps) {
  return (
    <div
      role={look === "problem" ? "alert" : undefined}
      className={`flex gap-3 rounded-field p-4 ${LOOKS[look]}`}
    >
      <Icon name="alert" className="mt-0.5 size-5" />
      <div className="grid gap-1">
        <p className="font-bold">{title}</p>
        {children}
      </div>
    </div>
  );
}
