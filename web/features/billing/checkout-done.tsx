import { Link } from "@tanstack/react-router";
import { buttonClass } from "../../ui/button-class.ts";
import { Notice } from "../../ui/notice.tsx";
import { checkoutCopy } from "./checkout.copy.ts";

const copy = checkoutCopy.done;

/** The plan is what was asked for. */
export function CheckoutDone() {
  return (
    <div className="grid gap-4">
      <Notice tone="done">
        <strong>{copy.title}.</strong> {copy.text}
      </Notice>
      <Link to="/dashboard" className={buttonClass({ size: "lg" })}>
        {copy.dashboard}
      </Link>
    </div>
  );
}
