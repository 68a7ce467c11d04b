import { createFileRoute } from "@tanstack/react-router";
import { TestPricingPage } from "../features/billing/prices/test-pricing-page.tsx";

export const Route = createFileRoute("/test-pricing")({ component: TestPricingPage });
