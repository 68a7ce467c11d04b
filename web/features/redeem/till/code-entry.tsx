import { ScanQrCode } from "lucide-react";
import { type ReactNode, type Ref, useEffect, useRef } from "react";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import { Ticket } from "../../../ui/ticket.tsx";
import { redeemCopy } from "../redeem.copy.ts";

const copy = redeemCopy.entry;

/** A long code is seen to its end; smaller than 16 px, and iOS would zoom into the field. */
function lettersOf({ length }: string): string {
  if (length <= 13) return "";
  return `tracking-normal! ${length <= 18 ? "text-lg!" : "text-base!"}`;
}

type CodeEntryProps = {
  ref: Ref<HTMLInputElement>;
  code: string;
  isChecking: boolean;
  /** Mistake in the field. */
  error: string | undefined;
  /** Why there is no answer. */
  problem: ReactNode;
  onChange: (code: string) => void;
  onSubmit: () => void;
  onScan: () => void;
};

/** One field and one camera button. Enter, or the button at the thumb, asks the server. */
export function CodeEntry(props: CodeEntryProps) {
  const { ref, code, isChecking, error, problem, onChange, onSubmit, onScan } = props;
  const form = useRef<HTMLFormElement>(null);

  // Ready for the next code at once, whatever was pressed to come here; a kept one can be retyped.
  useEffect(() => {
    const field = form.current?.querySelector("input");
    field?.focus();
    field?.select();
  }, []);

  return (
    <main className="flex flex-1 flex-col">
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
        className="mx-auto flex w-full max-w-lg flex-1 flex-col gap-6 px-4 pt-6 pb-[max(1rem,env(safe-area-inset-bottom))] sm:flex-none sm:px-6 sm:pt-14"
      >
        <div className="grid gap-2">
          <h1 className="text-2xl sm:text-3xl">{copy.title}</h1>
          <p className="text-lg text-muted">{copy.text}</p>
        </div>
        {problem && <Alert>{problem}</Alert>}
        <Ticket
          stub={
            <Button variant="secondary" size="lg" className="w-full" onClick={onScan}>
              <ScanQrCode aria-hidden="true" className="size-6" />
              {copy.scan}
            </Button>
          }
        >
          <Field label={copy.code} error={error}>
            {(control) => (
              <TextInput
                {...control}
                ref={ref}
                size="code"
                className={lettersOf(code)}
                value={code}
                readOnly={isChecking}
                onChange={(event) => onChange(event.target.value)}
                inputMode="text"
                enterKeyHint="go"
                autoComplete="off"
                autoCorrect="off"
                autoCapitalize="characters"
                spellCheck={false}
              />
            )}
          </Field>
        </Ticket>
        <div
          data-sticks="below"
          className="sticky bottom-0 mt-auto bg-paper py-3 sm:static sm:mt-0 sm:py-0 short:static"
        >
          <Button type="submit" size="lg" busy={isChecking} className="w-full">
            {copy.check}
          </Button>
        </div>
      </form>
    </main>
  );
}
