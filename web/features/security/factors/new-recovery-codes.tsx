import { Download, Printer } from "lucide-react";
import { createPortal } from "react-dom";
import { Button } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { securityCopy } from "../security.copy.ts";

const copy = securityCopy.recovery;

function download(codes: readonly string[]): void {
  const text = `${copy.fileTitle}\n\n${codes.join("\n")}\n`;
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = copy.fileName;
  link.click();
  URL.revokeObjectURL(address);
}

type NewRecoveryCodesProps = { codes: readonly string[]; onDone: () => void };

/** Recovery codes, shown this once, with every way to keep them. */
export function NewRecoveryCodes({ codes, onDone }: NewRecoveryCodesProps) {
  return (
    <div className="grid gap-5">
      <Notice>{copy.shownOnce}</Notice>
      <Codes codes={codes} />
      <div className="flex flex-wrap gap-3">
        <CopyButton text={codes.join("\n")} label={copy.copy} copied={copy.copied} />
        <Button variant="secondary" onClick={() => download(codes)}>
          <Download aria-hidden="true" className="size-5" />
          {copy.download}
        </Button>
        <Button variant="secondary" onClick={() => window.print()}>
          <Printer aria-hidden="true" className="size-5" />
          {copy.print}
        </Button>
      </div>
      <Button className="justify-self-start" onClick={onDone}>
        {copy.done}
      </Button>
      {createPortal(
        // On paper, the codes alone.
        <div className="paper-alone hidden p-8 print:block">
          <h1 className="text-2xl">{copy.fileTitle}</h1>
          <p className="my-6">{copy.text}</p>
          <Codes codes={codes} />
        </div>,
        document.body,
      )}
    </div>
  );
}

function Codes({ codes }: { codes: readonly string[] }) {
  return (
    <ol
      aria-label={copy.list}
      className="grid gap-3 rounded-field border border-dashed border-field p-4 font-bold tracking-[0.06em] tabular-nums"
    >
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ol>
  );
}
