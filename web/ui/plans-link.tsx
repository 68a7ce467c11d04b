import { Link } from "@tanstack/react-router";
import { useMay } from "../lib/use-may.ts";
import { buttonClass } from "./button-class.ts";
import { uiCopy } from "./ui.copy.ts";

/** Under what a plan does not include: the way to those that do, for whoever may choose one. */
export function PlansLink() {
  if (!useMay().mayOpen("/pricing")) return null;
  return (
    <Link to="/pricing" className={buttonClass({ variant: "secondary" })}>
      {uiCopy.seePlans}
    </Link>
  );
}
