import type { Settings } from "#domain/schemas/settings.ts";
import { formatDate } from "../../lib/format.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { TitledCard } from "../../ui/titled-card.tsx";
import { Fact } from "./fact.tsx";
import { settingsCopy } from "./settings.copy.ts";

const copy = settingsCopy.information;

/** Since when the organisation exists, and the identifier that support asks for. */
export function InformationCard({ id, created_at }: Settings["organization"]) {
  return (
    <TitledCard title={copy.title}>
      <dl className="grid gap-4">
        <Fact label={copy.created}>{formatDate(new Date(created_at))}</Fact>
        <Fact label={copy.id}>
          <span className="text-sm tabular-nums">{id}</span>
        </Fact>
      </dl>
      <div>
        <CopyButton text={id} label={copy.copy} subject={copy.id} copied={copy.copied} />
      </div>
    </TitledCard>
  );
}
