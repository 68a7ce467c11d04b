import { X } from "lucide-react";
import { useId } from "react";
import { errorMessage } from "../../lib/app-error.ts";
import { useSignOut } from "../../lib/auth/use-sign-out.ts";
import { useDisplayName } from "../../lib/use-display-name.ts";
import { useWorkspace } from "../../lib/workspace.ts";
import { Alert } from "../../ui/alert.tsx";
import { Modal } from "../../ui/modal.tsx";
import { NavLink } from "./nav-link.tsx";
import type { menuFor } from "./navigation.ts";
import { shellCopy } from "./shell.copy.ts";
import { SignOutButton } from "./sign-out-button.tsx";

type MenuSheetProps = { entries: ReturnType<typeof menuFor>; onClose: () => void };

/** The whole menu of a phone, rising from the bottom. */
export function MenuSheet({ entries, onClose }: MenuSheetProps) {
  const titleId = useId();
  const signOut = useSignOut();
  const name = useDisplayName();
  const workspace = useWorkspace();
  return (
    <Modal
      look="sheet"
      aria-labelledby={titleId}
      onClose={onClose}
      className="mx-0 mt-auto mb-0 max-h-[85dvh] w-full max-w-none animate-rise rounded-t-[22px]"
    >
      <div className="grid grid-cols-1 gap-5 px-4 pt-4 pb-[max(1.25rem,env(safe-area-inset-bottom))]">
        <div className="flex items-start gap-3 pl-4">
          <div className="min-w-0 flex-1 pt-1">
            <h2 id={titleId} className="text-xl wrap-anywhere">
              {shellCopy.greeting} {name}
            </h2>
            <p className="wrap-anywhere text-muted">{workspace?.organization?.name}</p>
          </div>
          <button
            type="button"
            aria-label={shellCopy.closeMenu}
            onClick={onClose}
            className="grid size-11 shrink-0 place-items-center rounded-full text-muted hover:text-ink"
          >
            <X aria-hidden="true" className="size-6" />
          </button>
        </div>
        <div className="grid">
          {entries.map((entry) => (
            <NavLink key={entry.to} entry={entry} look="menu" onClick={onClose} />
          ))}
        </div>
        {signOut.isError && (
          <Alert>{errorMessage(signOut.error, { network: shellCopy.signOutFailed })}</Alert>
        )}
        <SignOutButton signOut={signOut} />
      </div>
    </Modal>
  );
}
