import { useEffect, useId, useState } from "react";
import { SOURCE_QR } from "#domain/rules/constants.ts";
import { Button } from "../../../ui/button.tsx";
import { NamedOptions } from "../../../ui/forms/named-options.tsx";
import { SelectInput } from "../../../ui/forms/select-input.tsx";
import { Modal } from "../../../ui/modal.tsx";
import { QrCode } from "../../../ui/qr-code.tsx";
import { codeNow } from "./code-now.ts";
import { presenceCopy as copy } from "./presence.copy.ts";
import type { ShownBoard } from "./presence.queries.ts";

type PresenceDialogProps = { board: ShownBoard; store: string; onClose: () => void };

/** Proof of presence over the whole screen of the till, legible from two metres. */
export function PresenceDialog({ board, store, onClose }: PresenceDialogProps) {
  const titleId = useId();
  const [chosen, setChosen] = useState<string | null>(null);
  const { campaigns } = board;
  const campaign = campaigns.find(({ id }) => id === chosen) ?? campaigns[0];
  useScreenAwake();
  return (
    <Modal
      look="screen"
      aria-labelledby={titleId}
      onClose={onClose}
      className="bg-surface text-ink"
    >
      <div className="flex min-h-full flex-col items-center gap-4 p-4 text-center">
        <div className="flex w-full items-center justify-between gap-3 text-left">
          <h2 id={titleId} className="text-xl">
            {copy.title(store)}
          </h2>
          <Button variant="secondary" onClick={onClose}>
            {copy.close}
          </Button>
        </div>
        {campaigns.length > 1 && (
          <div className="w-full max-w-md">
            <SelectInput
              aria-label={copy.campaign}
              value={campaign?.id}
              onChange={(event) => setChosen(event.target.value)}
            >
              <NamedOptions of={campaigns} />
            </SelectInput>
          </div>
        )}
        {campaign?.codes && (
          <TurningCode
            key={campaign.id}
            board={board}
            codes={campaign.codes}
            slug={campaign.slug}
          />
        )}
        {campaign?.word && <WordOfTheDay word={campaign.word} />}
      </div>
    </Modal>
  );
}

const SIGNS = "font-bold leading-none tabular-nums whitespace-nowrap";

type TurningCodeProps = { board: ShownBoard; codes: readonly string[]; slug: string };

function TurningCode({ board, codes, slug }: TurningCodeProps) {
  const now = useSeconds();
  const shown = codeNow(board, codes, now);
  if (shown === null) {
    return (
      <p role="alert" className="m-auto max-w-lg text-3xl font-bold text-coral-ink">
        {copy.stale}
      </p>
    );
  }
  const { code, secondsLeft } = shown;
  return (
    <div className="m-auto grid justify-items-center gap-4">
      <p className="text-2xl">{copy.code}</p>
      <p className={`${SIGNS} text-[min(22vw,24dvh)]`}>
        {code.slice(0, 3)}&nbsp;{code.slice(3)}
      </p>
      <div className="grid w-full max-w-xl gap-1">
        <div aria-hidden="true" className="h-2 overflow-clip rounded-full bg-line">
          <div
            className="h-full origin-left bg-violet"
            style={{ transform: `scaleX(${secondsLeft / 30})` }}
          />
        </div>
        <p className="text-lg tabular-nums">{copy.next(secondsLeft)}</p>
      </div>
      <p className="text-xl text-balance">{copy.typed}</p>
      <div className="rounded-card bg-[#fff] p-3">
        <QrCode
          text={`${location.origin}/c/${slug}/play?source=${SOURCE_QR}#p=${code}`}
          label={copy.qr}
          className="size-[min(70vw,42dvh)] [&_path]:fill-[#000]"
        />
      </div>
    </div>
  );
}

function WordOfTheDay({ word }: { word: string }) {
  return (
    <div className="m-auto grid justify-items-center gap-4">
      <p className="text-2xl">{copy.word}</p>
      <p className={`${SIGNS} text-[min(13vw,30dvh)] uppercase`}>{word}</p>
      <p className="text-xl">{copy.typedWord}</p>
      <p className="text-lg text-muted">{copy.nextDay}</p>
    </div>
  );
}

/** The page's clock, four times a second. */
function useSeconds(): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 250);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Keeps the screen from going dark while it shows something to customers, where the browser can. */
function useScreenAwake(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | null = null;
    let isOpen = true;
    async function hold() {
      if (document.visibilityState !== "visible" || !("wakeLock" in navigator)) return;
      lock = await navigator.wakeLock.request("screen").catch(() => null);
      if (!isOpen) lock?.release();
    }
    hold();
    document.addEventListener("visibilitychange", hold);
    return () => {
      isOpen = false;
      document.removeEventListener("visibilitychange", hold);
      lock?.release();
    };
  }, []);
}
