import { Palette } from "lucide-react";
import { TitledCard } from "../../ui/titled-card.tsx";
import { PageLinks } from "./page-links.tsx";
import { settingsCopy } from "./settings.copy.ts";

const copy = settingsCopy.brand;

const PAGES = [{ to: "/settings/brand", label: copy.link, icon: Palette }] as const;

/** The way to the organisation's own logo and colour. */
export function BrandCard() {
  return (
    <TitledCard title={copy.title} text={copy.text}>
      <PageLinks pages={PAGES} />
    </TitledCard>
  );
}
