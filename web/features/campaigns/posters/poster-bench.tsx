import { useMutation, useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useId, useState } from "react";
import { suggestSlug } from "#domain/text/slugify.ts";
import { useApp } from "../../../lib/app-context.ts";
import { download } from "../../../lib/download.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { SegmentSpinner } from "../../../ui/segment-spinner.tsx";
import type { PosterFormat } from "./poster-layout.ts";
import type { Press } from "./poster-press.ts";
import { PosterPreview } from "./poster-preview.tsx";
import { postersCopy } from "./posters.copy.ts";
import { pressQuery } from "./posters.queries.ts";

const copy = postersCopy.dialog;

const FORMATS = [
  "poster",
  "tent",
  "sticker",
  "stickers",
] as const satisfies readonly PosterFormat[];

/** The campaign whose posters are made. */
export type PosterCampaign = { id: string; name: string; slug: string };

/** A campaign's posters: choose one, see it, take it as a PDF. */
export function PosterBench({ campaign }: { campaign: PosterCampaign }) {
  const { supabase } = useApp();
  const press = useQuery(pressQuery(supabase, campaign.id));
  return (
    <>
      {press.isError && (
        <div className="grid justify-items-start gap-3">
          <Alert>{copy.failed}</Alert>
          <Button variant="secondary" onClick={() => press.refetch()}>
            {copy.retry}
          </Button>
        </div>
      )}
      {press.isPending && (
        <p role="status" className="flex min-h-64 items-center justify-center gap-3 text-muted">
          <SegmentSpinner className="size-8" />
          {copy.preparing}
        </p>
      )}
      {press.isSuccess && press.data === null && <Alert>{copy.gone}</Alert>}
      {press.data && <Bench press={press.data} campaign={campaign} />}
    </>
  );
}

/** The formats beside the preview of the one that is chosen. */
function Bench({ press, campaign }: { press: Press; campaign: PosterCampaign }) {
  const group = useId();
  const [format, setFormat] = useState<PosterFormat>("poster");
  const { label, file } = copy.formats[format];
  const printing = useMutation({
    mutationFn: async () => {
      const name = suggestSlug(campaign.name) || campaign.slug;
      download(await press.print(format), `${name}-${file}.pdf`);
    },
    networkMode: "always",
  });
  return (
    <div className="grid gap-6 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <div className="grid content-start gap-4">
        <fieldset className="grid gap-2">
          <legend className="mb-2 font-semibold">{copy.format}</legend>
          {FORMATS.map((name) => (
            <label
              key={name}
              className="grid min-h-11 cursor-pointer rounded-field border-[1.5px] border-field bg-surface px-4 py-2 transition-colors duration-150 has-checked:border-violet has-checked:bg-violet-soft has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-violet"
            >
              <input
                type="radio"
                name={group}
                checked={format === name}
                onChange={() => setFormat(name)}
                className="sr-only"
              />
              <span className="font-semibold">{copy.formats[name].label}</span>
              <span className="text-sm text-muted">{copy.formats[name].hint}</span>
            </label>
          ))}
        </fieldset>
        {press.missing.length > 0 && (
          <p className="text-sm text-muted">{copy.unprintable(press.missing.join(" "))}</p>
        )}
        {printing.isError && <Alert>{copy.printFailed}</Alert>}
        <Button busy={printing.isPending} onClick={() => printing.mutate()}>
          {!printing.isPending && <Download aria-hidden="true" className="size-5" />}
          {printing.isPending ? copy.printing : copy.download}
        </Button>
      </div>
      <div className="grid place-items-center rounded-card bg-line/50 p-4">
        <PosterPreview sheet={press.sheet(format)} label={copy.preview(label)} />
      </div>
    </div>
  );
}
