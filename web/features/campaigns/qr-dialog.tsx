import { useQuery } from "@tanstack/react-query";
import { Download, X } from "lucide-react";
import { useId } from "react";
import { suggestSlug } from "#domain/slugify.ts";
import { Alert } from "../../ui/alert.tsx";
import { Button } from "../../ui/button.tsx";
import { buttonClass } from "../../ui/button-class.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { SegmentSpinner } from "../../ui/segment-spinner.tsx";
import { useModal } from "../../ui/use-modal.ts";
import { campaignsCopy } from "./campaigns.copy.ts";
import { qrLink } from "./public-link.ts";
import { drawQr } from "./qr-files.ts";

const copy = campaignsCopy.qr;

/** Width of the picture on the screen, in CSS pixels (specification, section 9). */
const SIZE = 250;

type QrDialogProps = { name: string; slug: string; onClose: () => void };

/** A campaign's QR code: to look at, to download, and its link to copy. */
export function QrDialog({ name, slug, onClose }: QrDialogProps) {
  const dialog = useModal();
  const titleId = useId();
  const link = qrLink(slug);
  const drawing = useQuery({
    queryKey: ["qr", link],
    queryFn: () => drawQr(link),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const file = `qr-${suggestSlug(name) || slug}`;

  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      className="m-auto max-h-[calc(100dvh-1rem)] w-[min(26rem,calc(100vw-1.5rem))] rounded-card bg-surface p-5 text-ink shadow-card backdrop:bg-ink/50 sm:p-6 dark:backdrop:bg-black/60"
    >
      <div className="grid justify-items-center gap-5">
        <div className="grid w-full grid-cols-[1fr_auto] items-start gap-2">
          <h2 id={titleId} className="pt-1.5 text-xl break-words">
            {copy.title(name)}
          </h2>
          <button
            type="button"
            aria-label={copy.close}
            onClick={onClose}
            className="-mt-1 -mr-2 grid size-11 place-items-center rounded-full text-muted hover:text-ink"
          >
            <X aria-hidden="true" className="size-6" />
          </button>
          <p className="col-span-2 text-muted">{copy.text}</p>
        </div>
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
              <a href={drawing.data.png} download={`${file}.png`} className={buttonClass()}>
                <Download aria-hidden="true" className="size-5" />
                {copy.png}
              </a>
              <a
                href={drawing.data.svg}
                download={`${file}.svg`}
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
    </dialog>
  );
}
