import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { suggestSlug } from "#domain/text/slugify.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { buttonClass } from "../../../ui/button-class.ts";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { SegmentSpinner } from "../../../ui/states/segment-spinner.tsx";
import { campaignsCopy } from "../campaigns.copy.ts";
import { PictureDialog } from "./picture-dialog.tsx";
import type { PosterCampaign } from "./poster-editor.tsx";
import { useNotePoster } from "./posters.queries.ts";
import { qrLink } from "./public-link.ts";

const copy = campaignsCopy.qr;

/** Width of the picture on the screen, in CSS pixels (specification, section 9). */
const SIZE = 250;

type QrDialogProps = { campaign: PosterCampaign; onClose: () => void };

/** A campaign's QR code: to look at, to download, and its link to copy. */
export function QrDialog({ campaign, onClose }: QrDialogProps) {
  const { id, name, slug } = campaign;
  const link = qrLink(slug);
  const drawing = useQuery({
    queryKey: ["qr", link],
    queryFn: () => drawQr(link),
    staleTime: Number.POSITIVE_INFINITY,
  });
  // A merchant who prints the code itself has a poster.
  const note = useNotePoster(id);
  const file = `qr-${suggestSlug(name) || slug}`;

  return (
    <PictureDialog
      title={copy.title(name)}
      text={copy.text}
      close={copy.close}
      width="w-[min(26rem,calc(100vw-1.5rem))]"
      onClose={onClose}
    >
      <div className="grid justify-items-center gap-5">
        {drawing.isError ? (
          <div className="grid w-full gap-3">
            <Alert>{copy.failed}</Alert>
            <Button variant="secondary" onClick={() => drawing.refetch()}>
              {copy.retry}
            </Button>
          </div>
        ) : (
          <div className="grid size-[250px] place-items-center rounded-field bg-white text-[#1e1b2e]">
            {drawing.data ? (
              <img src={drawing.data.png} alt={copy.picture(name)} width={SIZE} height={SIZE} />
            ) : (
              <SegmentSpinner className="size-10" />
            )}
          </div>
        )}
        <p className="w-full rounded-field bg-line/50 px-3 py-2 text-sm break-all select-all">
          <span className="sr-only">{copy.link} : </span>
          {link}
        </p>
        <div className="grid w-full gap-3">
          {drawing.data && (
            <>
              <a
                href={drawing.data.png}
                download={`${file}.png`}
                onClick={note}
                className={buttonClass()}
              >
                <Download aria-hidden="true" className="size-5" />
                {copy.png}
              </a>
              <a
                href={drawing.data.svg}
                download={`${file}.svg`}
                onClick={note}
                className={buttonClass({ variant: "secondary" })}
              >
                <Download aria-hidden="true" className="size-5" />
                {copy.svg}
              </a>
            </>
          )}
          <CopyButton text={link} label={copy.copy} copied={copy.copied} />
        </div>
      </div>
    </PictureDialog>
  );
}

/** Width of a module in the PNG, in pixels: a code of 33 modules is sharp at ten centimetres in print. */
const PNG_SCALE = 32;

/** The quiet zone that readers need around the modules, in modules (ISO/IEC 18004). */
const MARGIN = 4;

/** A QR code as two pictures, black on white whatever the theme: it is for paper. */
type QrFiles = { png: string; svg: string };

/** Draws a text as a QR code, in the browser: it is sent nowhere. Both pictures are `data:` addresses. */
async function drawQr(text: string): Promise<QrFiles> {
  const { generate } = await import("lean-qr");
  const { toSvgPath } = await import("lean-qr/extras/svg");
  const qr = generate(text);
  const size = qr.size + 2 * MARGIN;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-MARGIN} ${-MARGIN} ${size} ${size}" width="1000" height="1000" shape-rendering="crispEdges"><path fill="#fff" d="M${-MARGIN} ${-MARGIN}h${size}v${size}h${-size}z"/><path d="${toSvgPath(qr)}"/></svg>`;
  return {
    png: qr.toDataURL({ on: [0, 0, 0], off: [255, 255, 255], pad: MARGIN, scale: PNG_SCALE }),
    svg: `data:image/svg+xml,${encodeURIComponent(svg)}`,
  };
}
