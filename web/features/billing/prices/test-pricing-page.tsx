import { Link } from "@tanstack/react-router";
import { usePageTitle } from "../../../lib/page-title.ts";
import { buttonClass } from "../../../ui/button-class.ts";
import { MessageScreen } from "../../../ui/states/message-screen.tsx";
import { pricingCopy } from "./pricing.copy.ts";

const copy = pricingCopy.test;

/** `/test-pricing`: says that the pricing page works (specification, section 2.3). */
export function TestPricingPage() {
  usePageTitle(copy.title);
  return (
    <MessageScreen title={copy.title} text={copy.text}>
      <Link to="/pricing" className={buttonClass()}>
        {copy.back}
      </Link>
    </MessageScreen>
  );
}
