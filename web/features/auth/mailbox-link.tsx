import { Mailbox } from "lucide-react";
import { buttonClass } from "../../ui/button-class.ts";

/** On somebody's own machine, mails and text messages are kept instead of sent: here they are. */
export function MailboxLink({ children }: { children: string }) {
  return (
    <a
      href="/_dev/mailbox"
      target="_blank"
      rel="noreferrer"
      className={`${buttonClass()} justify-self-start`}
    >
      <Mailbox aria-hidden="true" className="size-5" />
      {children}
    </a>
  );
}
