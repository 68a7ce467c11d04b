import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import * as z from "zod/mini";
import { operator } from "#domain/schemas/operator.ts";
import { PricingPage } from "../features/billing/prices/pricing-page.tsx";
import "./pricing.css";

/** Data that the server has written into the page. */
const siteData = z.object({
  operator,
  payments: z.boolean(),
  application: z.object({ script: z.string(), style: z.nullable(z.string()) }),
});

const root = document.getElementById("root");
const data = siteData.parse(JSON.parse(document.getElementById("site-data")?.textContent ?? ""));

if (document.documentElement.classList.contains("member")) startApplication();
else if (root) hydrate(root);

/** Which plan a member has, only the application knows: it takes the page over. */
function startApplication(): void {
  const { script, style } = data.application;
  if (style) {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = style;
    document.head.append(link);
  }
  void import(/* @vite-ignore */ script);
}

/** Takes over the prerendered page. */
function hydrate(page: HTMLElement): void {
  const view = (
    <PricingPage
      subscribed={null}
      problem={null}
      onRetry={() => window.location.reload()}
      operator={data.operator}
      canSubscribe={data.payments}
      isSignedIn={false}
    />
  );
  // In parts, so that a touch in between is not kept waiting.
  startTransition(() => void hydrateRoot(page, view));
}
