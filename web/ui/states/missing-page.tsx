import { Link, type LinkProps } from "@tanstack/react-router";
import { usePageTitle } from "../../lib/page-title.ts";
import { buttonClass } from "../button-class.ts";
import { FallenSegment } from "./fallen-segment.tsx";

type MissingPageProps = {
  title: string;
  text: string;
  /** Label of the way back. */
  back: string;
  to: NonNullable<LinkProps["to"]>;
};

/** Page for an address that does not exist, or belongs to another organisation: the same answer. */
export function MissingPage({ title, text, back, to }: MissingPageProps) {
  usePageTitle(title);
  return (
    <div className="grid justify-items-center gap-5 px-4 py-16 text-center">
      <FallenSegment className="h-24" />
      <div className="grid gap-2">
        <h1 className="text-2xl">{title}</h1>
        <p className="text-lg text-pretty text-muted">{text}</p>
      </div>
      <Link to={to} className={buttonClass()}>
        {back}
      </Link>
    </div>
  );
}
