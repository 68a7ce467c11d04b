import { KeySquare, Tags } from "lucide-react";
import { useMay } from "../../lib/use-may.ts";
import { TitledCard } from "../../ui/titled-card.tsx";
import { PageLinks } from "./page-links.tsx";
import { settingsCopy } from "./settings.copy.ts";

const copy = settingsCopy.openings;

const PAGES = [
  { to: "/settings/roles", label: copy.roles, icon: Tags, permission: "roles.manage" },
  { to: "/settings/api", label: copy.api, icon: KeySquare, permission: "api.manage" },
] as const;

/** The ways to what opens the organisation to others: roles of its own, and keys for programs. */
export function OpeningsCard() {
  const { may } = useMay();
  const pages = PAGES.filter(({ permission }) => may(permission));
  if (pages.length === 0) return null;
  return (
    <TitledCard title={copy.title} text={copy.text}>
      <PageLinks pages={pages} />
    </TitledCard>
  );
}
