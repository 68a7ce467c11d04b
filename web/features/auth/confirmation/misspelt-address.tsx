import { suggestEmail } from "#domain/rules/email-suggestion.ts";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { misspeltAddressCopy as copy } from "./misspelt-address.copy.ts";

type MisspeltAddressProps = {
  address: string;
  /** Leads back to the form, with the address that was meant. */
  onCorrect: (meant: string) => void;
};

/** Asks whether another address was meant, where the one that was typed looks misspelt. */
export function MisspeltAddress({ address, onCorrect }: MisspeltAddressProps) {
  const meant = suggestEmail(address);
  if (meant === null) return null;
  return (
    <Notice>
      <p className="wrap-anywhere">{copy.question(meant)}</p>
      <Button variant="secondary" className="mt-3" onClick={() => onCorrect(meant)}>
        {copy.correct}
      </Button>
    </Notice>
  );
}
