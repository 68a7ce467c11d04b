import { PictureDialog } from "./picture-dialog.tsx";
import { type PosterCampaign, PosterEditor } from "./poster-editor.tsx";
import { postersCopy } from "./posters.copy.ts";

const copy = postersCopy.dialog;

type PostersDialogProps = { campaign: PosterCampaign; onClose: () => void };

/** The posters of a campaign in a list. */
export function PostersDialog({ campaign, onClose }: PostersDialogProps) {
  return (
    <PictureDialog
      title={copy.title(campaign.name)}
      text={copy.text}
      close={copy.close}
      width="w-[min(58rem,calc(100vw-1.5rem))]"
      onClose={onClose}
    >
      <PosterEditor campaign={campaign} />
    </PictureDialog>
  );
}
