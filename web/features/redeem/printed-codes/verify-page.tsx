import { ScanQrCode } from "lucide-react";
import { useRef, useState } from "react";
import { usePageTitle } from "../../../lib/page-title.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import { SiteHeader } from "../../../ui/site-header.tsx";
import { ScannerDialog } from "../scanner/scanner-dialog.tsx";
import { type PrintedCode, readPrinted } from "./printed-code.ts";
import { verifyCopy as copy } from "./verify.copy.ts";
import { WhoseCode } from "./whose-code.tsx";

/** `/verifier`: visitors scan a poster, or paste its address, and read whether it is ours and whose. */
export function VerifyPage() {
  usePageTitle(copy.title);
  const [address, setAddress] = useState("");
  const [read, setRead] = useState<PrintedCode | null>(null);
  const [isMissing, setIsMissing] = useState(false);
  const [isScanning, setIsScanning] = useState(false);
  const field = useRef<HTMLInputElement>(null);

  function check(text: string): void {
    setIsMissing(text.trim() === "");
    setRead(text.trim() === "" ? null : readPrinted(text, location.host));
  }

  return (
    <>
      <SiteHeader />
      <main className="mx-auto grid w-full max-w-lg gap-6 px-4 py-10 sm:px-6">
        <div className="grid gap-2">
          <h1 className="text-2xl sm:text-3xl">{copy.title}</h1>
          <p className="text-lg text-pretty text-muted">{copy.text}</p>
        </div>
        <form
          noValidate
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            check(address);
            field.current?.focus();
          }}
        >
          <Button variant="secondary" size="lg" onClick={() => setIsScanning(true)}>
            <ScanQrCode aria-hidden="true" className="size-6" />
            {copy.scan}
          </Button>
          <Field label={copy.address} error={isMissing ? copy.missing : undefined}>
            {(control) => (
              <TextInput
                {...control}
                ref={field}
                value={address}
                onChange={(event) => {
                  setAddress(event.target.value);
                  setRead(null);
                  setIsMissing(false);
                }}
                inputMode="url"
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
              />
            )}
          </Field>
          <Button type="submit" size="lg">
            {copy.check}
          </Button>
        </form>
        <p role="status" className="min-h-[2lh] text-lg font-semibold wrap-anywhere">
          {read && !isScanning && <WhoseCode code={read} />}
        </p>
      </main>
      {isScanning && (
        <ScannerDialog
          aim={copy.aim}
          type={copy.type}
          said={null}
          onText={(text) => {
            setIsScanning(false);
            setAddress(text.slice(0, 2_048));
            check(text);
          }}
          onClose={() => setIsScanning(false)}
        />
      )}
    </>
  );
}
