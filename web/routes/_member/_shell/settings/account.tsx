import { createFileRoute } from "@tanstack/react-router";
import { ProveIdentity } from "../../../../features/auth/proof/prove-identity.tsx";
import { AccountPage } from "../../../../features/security/account/account-page.tsx";

export const Route = createFileRoute("/_member/_shell/settings/account")({ component: Account });

function Account() {
  return <AccountPage proof={(asked) => <ProveIdentity {...asked} />} />;
}
