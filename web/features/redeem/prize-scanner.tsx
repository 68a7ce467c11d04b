import { useState } from "react";
import { useWorkspace } from "../../lib/workspace.ts";
import { type PrintedCode, readPrinted } from "./printed-code.ts";
import { redeemCopy } from "./redeem.copy.ts";
import { ScannerDialog } from "./scanner-dialog.tsx";
import { WhoseCode } from "./whose-code.tsx";

type PrizeScannerProps = { onCode: (code: string) => void; onClose: () => void };

/** The till's camera, until it has read a prize's QR code: of any other it says what it is, and whose. */
export function PrizeScanner({ onCode, onClose }: PrizeScannerProps) {
  const [other, setOther] = useState<PrintedCode | null>(null);
  const mine = useWorkspace()?.organization?.slug;
  return (
    <ScannerDialog
      aim={redeemCopy.scanner.aim}
      type={redeemCopy.scanner.type}
      said={other && <WhoseCode code={other} mine={mine ?? ""} />}
      onText={(text) => {
        const read = readPrinted(text, location.host);
        if (read.kind === "prize") onCode(read.code);
        else setOther(read);
      }}
      onClose={onClose}
    />
  );
}
