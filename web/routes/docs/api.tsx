import { createFileRoute } from "@tanstack/react-router";
import { ApiDocsPage } from "../../features/api-docs/api-docs-page.tsx";
import { MemberLinks } from "../../features/billing/prices/member-links.tsx";
import { useSession } from "../../lib/auth/use-session.ts";

/** Public: who is signed in finds the way back to their dashboard. */
export const Route = createFileRoute("/docs/api")({
  loader: async ({ context: { auth } }) => {
    await auth.ready().catch(() => null);
  },
  component: ApiDocs,
});

function ApiDocs() {
  const isSignedIn = Boolean(useSession());
  return <ApiDocsPage member={isSignedIn && <MemberLinks subscribed={null} />} />;
}
