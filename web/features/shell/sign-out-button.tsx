import { LogOut } from "lucide-react";
import type { useSignOut } from "../../lib/auth/use-sign-out.ts";
import { Button } from "../../ui/button.tsx";
import { shellCopy } from "./shell.copy.ts";

type SignOutButtonProps = {
  signOut: ReturnType<typeof useSignOut>;
  /** Shows the icon alone where there is little room. */
  isShort?: boolean;
};

/** The way out. */
export function SignOutButton({ signOut, isShort = false }: SignOutButtonProps) {
  return (
    <Button
      variant={isShort ? "quiet" : "secondary"}
      busy={signOut.isPending}
      onClick={() => signOut.mutate()}
      {...(isShort && { title: shellCopy.signOut })}
    >
      {!signOut.isPending && <LogOut aria-hidden="true" className="size-5" />}
      <span className={isShort ? "sr-only" : ""}>{shellCopy.signOut}</span>
    </Button>
  );
}
