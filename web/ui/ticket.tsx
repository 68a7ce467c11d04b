import type { ReactNode } from "react";

type TicketProps = {
  children: ReactNode;
  /** Content below the tear line. */
  stub: ReactNode;
  className?: string;
};

/** The brand's ticket: anything that is a code, a reward or an invoice. */
export function Ticket({ children, stub, className = "" }: TicketProps) {
  return (
    <div className={`ticket text-ink ${className}`}>
      <div className="ticket-body p-4 min-[380px]:p-6">{children}</div>
      <div className="ticket-stub p-4 min-[380px]:p-6">{stub}</div>
    </div>
  );
}
