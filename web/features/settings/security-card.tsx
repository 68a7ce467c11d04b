import { KeyRound, MonitorSmartphone, ShieldCheck } from "lucide-react";
import { TitledCard } from "../../ui/titled-card.tsx";
import { PageLinks } from "./page-links.tsx";
import { settingsCopy } from "./settings.copy.ts";

const copy = settingsCopy.security;

const PAGES = [
  { to: "/settings/password", label: copy.password, icon: KeyRound },
  { to: "/settings/2fa", label: copy.factors, icon: ShieldCheck },
  { to: "/settings/sessions", label: copy.sessions, icon: MonitorSmartphone },
] as const;

/** The ways to the pages about the safety of one's own account. */
export function SecurityCard() {
  return (
    <TitledCard title={copy.title} text={copy.text}>
      <PageLinks pages={PAGES} />
    </TitledCard>
  );
}
