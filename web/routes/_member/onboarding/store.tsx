import { createFileRoute } from "@tanstack/react-router";
import { storeQuery } from "../../../features/onboarding/onboarding.queries.ts";
import { StorePage } from "../../../features/onboarding/store-page.tsx";
import { useUserId } from "../../../lib/auth/use-session.ts";
import { requireStep } from "../../../lib/back-office.ts";
import { waiting } from "./-waiting.tsx";

export const Route = createFileRoute("/_member/onboarding/store")({
  beforeLoad: ({ context }) => requireStep(context, "store"),
  loader: async ({ context: { store, queryClient, supabase } }) => {
    if (!store) return null;
    return { id: store.id, ...(await queryClient.ensureQueryData(storeQuery(supabase, store.id))) };
  },
  // An earlier visit's answer is outdated: the store may exist since.
  gcTime: 0,
  component: () => {
    const store = Route.useLoaderData();
    return <StorePage key={store?.id} userId={useUserId()} store={store} />;
  },
  ...waiting,
});
