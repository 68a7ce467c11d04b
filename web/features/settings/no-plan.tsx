import { useNavigate } from "@tanstack/react-router";
import { useId } from "react";
import { Button } from "../../ui/button.tsx";
import { useModal } from "../../ui/use-modal.ts";
import { settingsCopy } from "./settings.copy.ts";

const copy = settingsCopy.noPlan;

/** Without a subscription there is nothing to set: says so, and goes on to the plans. */
export function NoPlan() {
  const dialog = useModal();
  const id = useId();
  const navigate = useNavigate();
  const leave = () => navigate({ to: "/pricing", replace: true });
  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        void leave();
      }}
      className="m-auto w-[min(28rem,calc(100vw-2rem))] rounded-card bg-surface p-6 text-ink shadow-card backdrop:bg-ink/50 dark:backdrop:bg-black/60"
    >
      <div className="grid gap-5">
        <p id={id} className="text-lg font-semibold text-pretty">
          {copy.text}
        </p>
        <div className="flex justify-end">
          <Button onClick={leave}>{copy.choose}</Button>
        </div>
      </div>
    </dialog>
  );
}
