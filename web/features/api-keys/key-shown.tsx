import type { NewApiKey } from "#domain/schemas/api-keys.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { apiKeysCopy } from "./api-keys.copy.ts";

const copy = apiKeysCopy.made;

type KeyShownProps = { titleId: string; made: NewApiKey; onClose: () => void };

/** A key that was just made, to copy: it is shown nowhere else. */
export function KeyShown({ titleId, made, onClose }: KeyShownProps) {
  return (
    <div className="grid gap-5">
      <div className="grid gap-1">
        <h2 id={titleId} className="text-xl">
          {copy.title}
        </h2>
        <p className="text-pretty text-muted">{copy.text}</p>
      </div>
      <label className="grid gap-1.5 font-semibold">
        {copy.label(made.name)}
        <textarea
          readOnly
          rows={2}
          value={made.key}
          spellCheck={false}
          onFocus={(event) => event.target.select()}
          className="w-full resize-none rounded-field border-[1.5px] border-field bg-paper p-3.5 font-mono text-base break-all text-ink"
        />
      </label>
      <div className="flex flex-wrap justify-end gap-3">
        <CopyButton text={made.key} label={copy.copy} copied={copy.copied} />
        <Button onClick={onClose}>{copy.close}</Button>
      </div>
    </div>
  );
}
