import { ExternalLink } from "lucide-react";
import { brandColors } from "#domain/brand-colors.ts";
import type { BrandSettings } from "#domain/brand-settings.ts";
import { logoAddress } from "../../ui/project-address.ts";
import { TitledCard } from "../../ui/titled-card.tsx";
import { brandCopy } from "./brand.copy.ts";

const copy = brandCopy.preview;

type PhonePreviewProps = {
  settings: BrandSettings;
  /** The colour that is being chosen; null: the product's own. */
  color: string | null;
};

/** The first step of a customer's page, small, with the logo that is there and the colour that is being chosen. */
export function PhonePreview({ settings, color }: PhonePreviewProps) {
  const { organization, slug, brand } = settings;
  const logo = brand?.logo;
  const main = color ? brandColors(color).main : "var(--violet)";
  return (
    <TitledCard title={copy.title} text={copy.text}>
      <div
        aria-hidden="true"
        className="light mx-auto grid w-full max-w-72 gap-4 rounded-[28px] border-8 border-ink bg-paper p-4 pt-5 text-ink"
      >
        <div className="grid h-12 place-items-center">
          {logo ? (
            <img src={logoAddress(logo.path)} alt="" className="max-h-12 max-w-36" />
          ) : (
            <span className="truncate font-bold">{organization}</span>
          )}
        </div>
        <div className="flex gap-1">
          <span className="h-1.5 grow rounded-full" style={{ backgroundColor: main }} />
          <span className="h-1.5 grow rounded-full bg-line" />
          <span className="h-1.5 grow rounded-full bg-line" />
        </div>
        <p className="text-lg leading-tight font-extrabold">{copy.heading}</p>
        <div className="grid gap-1 text-sm">
          <span className="font-semibold">{copy.field}</span>
          <span className="h-9 rounded-field border-2 border-field bg-surface" />
        </div>
        <span
          className="grid min-h-11 place-items-center rounded-field font-bold text-white"
          style={{ backgroundColor: main }}
        >
          {copy.action}
        </span>
      </div>
      <a
        href={`/org/${slug}`}
        target="_blank"
        rel="noreferrer"
        className="inline-flex min-h-11 items-center gap-2 justify-self-center font-semibold underline underline-offset-4"
      >
        {copy.see}
        <ExternalLink aria-hidden="true" className="size-4" />
      </a>
    </TitledCard>
  );
}
