import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { FIRST_LANGUAGE, LANGUAGES } from "#domain/text/languages.ts";
import { suggestSlug } from "#domain/text/slugify.ts";
import { useApp } from "../../../lib/app-context.ts";
import { download } from "../../../lib/download.ts";
import { formatLanguage } from "../../../lib/format.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { Choice } from "../../../ui/forms/choice.tsx";
import { Switch } from "../../../ui/forms/switch.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { SegmentSpinner } from "../../../ui/states/segment-spinner.tsx";
import {
  isBlack,
  mayHaveMarks,
  POSTER_FORMATS,
  POSTER_STYLES,
  type PosterFormat,
  type PosterOptions,
  SEASONS,
  seasonOf,
} from "../paper/poster-options.ts";
import type { ChangedName, PosterRenderer } from "../paper/poster-renderer.ts";
import { PosterPreview } from "./poster-preview.tsx";
import { postersCopy } from "./posters.copy.ts";
import { posterRendererQuery, useNotePoster } from "./posters.queries.ts";

const copy = postersCopy.dialog;

/** The campaign whose posters are made. */
export type PosterCampaign = { id: string; name: string; slug: string };

type PosterEditorProps = {
  campaign: PosterCampaign;
  /** Next thing to do with a poster, below the button that takes it. */
  next?: ReactNode;
};

/** A campaign's posters: choose one, see it, take it as a PDF. */
export function PosterEditor({ campaign, next }: PosterEditorProps) {
  const { supabase } = useApp();
  const renderer = useQuery(posterRendererQuery(supabase, campaign.id));
  return (
    <>
      {renderer.isError && (
        <div className="grid justify-items-start gap-3">
          <Alert>{copy.failed}</Alert>
          <Button variant="secondary" onClick={() => renderer.refetch()}>
            {copy.retry}
          </Button>
        </div>
      )}
      {renderer.isPending && (
        <p role="status" className="flex min-h-64 items-center justify-center gap-3 text-muted">
          <SegmentSpinner className="size-8" />
          {copy.preparing}
        </p>
      )}
      {renderer.isSuccess && renderer.data === null && <Alert>{copy.gone}</Alert>}
      {renderer.data && <Editor renderer={renderer.data} campaign={campaign} next={next} />}
      {/* Not while it loads: what waits for a message would leave its channel to join it again within the editor. */}
      {!renderer.data && !renderer.isPending && next}
    </>
  );
}

/** The preview of what is chosen, first of all on a phone, and beside it the formats and looks. */
function Editor({ renderer, campaign, next }: PosterEditorProps & { renderer: PosterRenderer }) {
  const [format, setFormat] = useState<PosterFormat>("poster");
  const [options, setOptions] = useState<PosterOptions>(() => ({
    style: "bright",
    season: seasonOf(new Date()),
    language: FIRST_LANGUAGE,
    showsPrizes: true,
    hasCropMarks: false,
  }));
  const { label, file } = copy.formats[format];
  const note = useNotePoster(campaign.id);
  const printing = useMutation({
    mutationFn: async () => {
      const name = suggestSlug(campaign.name) || campaign.slug;
      const { language } = options;
      const spoken = language === FIRST_LANGUAGE ? file : `${file}-${language}`;
      download(await renderer.print(format, options), `${name}-${spoken}.pdf`);
    },
    onSuccess: note,
    networkMode: "always",
  });
  return (
    <div className="grid gap-6 sm:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
      <div className="grid content-start gap-4 sm:sticky sm:top-0">
        <div className="grid place-items-center rounded-card bg-line/50 p-4">
          <PosterPreview
            sheet={renderer.sheet(format, options)}
            label={copy.preview(label)}
            language={options.language}
          />
        </div>
        <ChangedNames names={renderer.changed(options)} />
        {printing.isError && <Alert>{copy.printFailed}</Alert>}
        <Button busy={printing.isPending} onClick={() => printing.mutate()}>
          {!printing.isPending && <Download aria-hidden="true" className="size-5" />}
          {printing.isPending ? copy.printing : copy.download}
        </Button>
        {next}
      </div>
      <div className="grid content-start gap-5">
        <Formats current={format} onChange={setFormat} />
        <Look format={format} options={options} onChange={setOptions} />
        <Link
          to="/verifier"
          className="inline-flex min-h-11 items-center justify-self-start font-semibold underline underline-offset-4"
        >
          {copy.verify}
        </Link>
      </div>
    </div>
  );
}

/** Names that no font here can write, with what is printed, above the button that prints them. */
function ChangedNames({ names }: { names: readonly ChangedName[] }) {
  if (names.length === 0) return null;
  return (
    <Notice>
      <p>{copy.unprintable}</p>
      <ul className="mt-1 grid gap-1 font-normal">
        {names.map(({ name, printed }) => (
          <li key={name} className="wrap-anywhere">
            {printed === "" ? copy.nameless(name) : copy.changed(name, printed)}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

type FormatsProps = { current: PosterFormat; onChange: (format: PosterFormat) => void };

function Formats({ current, onChange }: FormatsProps) {
  const group = useId();
  return (
    <fieldset>
      <legend className="mb-2 font-semibold">{copy.format}</legend>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(10.5rem,1fr))] gap-2">
        {POSTER_FORMATS.map((name) => (
          <label
            key={name}
            className="grid min-h-11 cursor-pointer content-center rounded-field border-[1.5px] border-field bg-surface px-3.5 py-1.5 transition-colors duration-150 has-checked:border-violet has-checked:bg-violet-soft has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-violet"
          >
            <input
              type="radio"
              name={group}
              checked={current === name}
              onChange={() => onChange(name)}
              className="sr-only"
            />
            <span className="leading-tight font-semibold text-balance">
              {copy.formats[name].label}
            </span>
            <span className="text-sm leading-snug text-muted">{copy.formats[name].hint}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

type LookProps = {
  format: PosterFormat;
  options: PosterOptions;
  onChange: (options: PosterOptions) => void;
};

/** Style, season, language, prizes and crop marks, as far as the format has them. */
function Look({ format, options, onChange }: LookProps) {
  const prizesHint = useId();
  const marksHint = useId();
  return (
    <>
      {!isBlack(format) && (
        <div className="grid gap-2">
          <p aria-hidden="true" className="font-semibold">
            {copy.style}
          </p>
          <Choice
            label={copy.style}
            options={POSTER_STYLES.map((name) => ({ name, label: copy.styles[name] }))}
            current={options.style}
            onChange={(style) => onChange({ ...options, style })}
          />
          {options.style === "season" && (
            <Choice
              label={copy.season}
              options={SEASONS.map((name) => ({ name, label: copy.seasons[name] }))}
              current={options.season}
              onChange={(season) => onChange({ ...options, season })}
            />
          )}
        </div>
      )}
      <div className="grid gap-2">
        <p aria-hidden="true" className="font-semibold">
          {copy.language}
        </p>
        <Choice
          label={copy.language}
          options={LANGUAGES.map((name) => ({ name, label: formatLanguage(name) }))}
          current={options.language}
          onChange={(language) => onChange({ ...options, language })}
        />
        <p className="text-sm text-pretty text-muted">{copy.languageHint}</p>
      </div>
      <div className="grid">
        <Switch
          label={copy.showsPrizes}
          hasText
          describedBy={prizesHint}
          checked={options.showsPrizes}
          onChange={(showsPrizes) => onChange({ ...options, showsPrizes })}
        />
        <p id={prizesHint} className="text-sm text-pretty text-muted">
          {copy.showsPrizesHint}
        </p>
      </div>
      {mayHaveMarks(format) && (
        <div className="grid">
          <Switch
            label={copy.cropMarks}
            hasText
            describedBy={marksHint}
            checked={options.hasCropMarks}
            onChange={(hasCropMarks) => onChange({ ...options, hasCropMarks })}
          />
          <p id={marksHint} className="text-sm text-pretty text-muted">
            {copy.cropMarksHint}
            {options.hasCropMarks && ` ${copy.colors}`}
          </p>
        </div>
      )}
    </>
  );
}
