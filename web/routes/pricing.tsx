import { createFileRoute, useRouter } from "@tanstack/react-router";
import { billingQuery } from "../features/billing/billing.queries.ts";
import { PricingPage } from "../features/billing/prices/pricing-page.tsx";
import { subscribedFrom } from "../features/billing/prices/subscribed.ts";
import { useApp } from "../lib/app-context.ts";
import { errorMessage } from "../lib/app-error.ts";
import { needsSecondFactor } from "../lib/auth/auth.ts";
import { useSession } from "../lib/auth/use-session.ts";
import { LoadingScreen } from "../ui/states/loading-screen.tsx";
import { uiCopy } from "../ui/ui.copy.ts";

/** Public: the prices show whatever becomes of the question which plan the visitor has. */
export const Route = createFileRoute("/pricing")({
  loader: async ({ context: { auth, queryClient, supabase } }) => {
    const session = await auth.ready().catch(() => null);
    if (!session || needsSecondFactor(session)) return { subscribed: null, problem: null };
    try {
      const overview = await queryClient.fetchQuery(billingQuery(supabase));
      return { subscribed: subscribedFrom(overview), problem: null };
    } catch (error) {
      return { subscribed: null, problem: errorMessage(error) };
    }
  },
  component: Pricing,
  pendingComponent: () => <LoadingScreen text={uiCopy.loading} />,
});

function Pricing() {
  const { subscribed, problem } = Route.useLoaderData();
  const router = useRouter();
  const { config } = useApp();
  const isSignedIn = Boolean(useSession());
  return (
    <PricingPage
      operator={config.operator}
      canSubscribe={config.payments !== null}
      isSignedIn={isSignedIn}
      subscribed={subscribed}
      problem={problem}
      onRetry={() => void router.invalidate()}
    />
  );
}
