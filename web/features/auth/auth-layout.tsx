import { Mailbox } from "lucide-react";
import type { ReactNode } from "react";
import { buttonClass } from "../../ui/button-class.ts";
import { takeFocus } from "../../ui/states/message-screen.tsx";
import { WheelMark } from "../../ui/wheel-mark.tsx";
import { Wordmark } from "../../ui/wordmark.tsx";
import { authCopy } from "./auth.copy.ts";

type AuthLayoutProps = {
  title: string;
  text?: ReactNode;
  /** Whether its title takes the focus: what had it went with the form before. */
  takesFocus?: boolean;
  children: ReactNode;
};

/** The ways in: what to do at the left, what it is for at the right; on a phone, one column. */
export function AuthLayout({ title, text, takesFocus, children }: AuthLayoutProps) {
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(26rem,1fr)_1.15fr]">
      <main className="flex min-w-0 flex-col px-5 py-5 min-[380px]:px-6 sm:px-10">
        <a href="/" aria-label={authCopy.home} className="self-start rounded-field">
          <Wordmark className="h-8 w-auto" />
        </a>
        <div className="mx-auto grid w-full max-w-sm flex-1 content-start gap-7 pt-10 pb-12 sm:pt-16 lg:content-center lg:pt-8">
          <div className="grid gap-2">
            <h1
              ref={takesFocus ? takeFocus : null}
              tabIndex={-1}
              className="text-2xl outline-none min-[380px]:text-3xl"
            >
              {title}
            </h1>
            {text && <div className="text-lg text-pretty text-muted">{text}</div>}
          </div>
          {children}
        </div>
      </main>
      <AuthPicture />
    </div>
  );
}

const STAR = "M0-10 2.9-3.6 9.9-2.8 4.7 2 6.1 8.9 0 5.4-6.1 8.9-4.7 2-9.9-2.8-2.9-3.6Z";
const STARS = [0, 1, 2, 3, 4] as const;

/**
 * Picture of the product: a wheel that turns, and the ticket that it gives. Decoration, on wide
 * screens.
 */
function AuthPicture() {
  return (
    <div aria-hidden="true" className="relative hidden overflow-hidden bg-violet-soft lg:block">
      <div className="sticky top-0 h-dvh">
        <WheelMark className="absolute top-[5%] left-[18%] h-[90%] w-auto max-w-none" />
        <div className="absolute bottom-[11%] left-[9%] w-72 -rotate-6 xl:w-80">
          <div className="ticket">
            <div className="ticket-body px-7 pt-7 pb-6">
              <svg viewBox="-12 -12 124 24" aria-hidden="true" className="h-6 fill-sun">
                {STARS.map((star) => (
                  <path key={star} d={STAR} transform={`translate(${star * 25})`} />
                ))}
              </svg>
              <p className="mt-4 font-display text-2xl font-bold">{authCopy.picture.prize}</p>
            </div>
            <div className="ticket-stub px-7 pt-5 pb-6">
              <p className="text-lg font-bold tracking-[0.14em] tabular-nums text-muted">
                {authCopy.picture.code}
              </p>
            </div>
          </div>
        </div>
      </div>
    </div>
  );
}

/** In local mode, mails and text messages are kept instead of sent: here they are. */
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
