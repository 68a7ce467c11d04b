import { lazyRouteComponent } from "@tanstack/react-router";
import { type ReactNode, Suspense, useEffect, useEffectEvent, useState } from "react";
import { useApp } from "../../lib/app-context.ts";
import { standing } from "../../lib/auth/auth.ts";
import { useUserId } from "../../lib/auth/use-session.ts";
import { type FormValues, hasUnsaved, keepUnsaved } from "../../lib/input/unsaved-input.ts";
import { useWorkspace } from "../../lib/workspace.ts";

/** Needed by those who come back after their session ended in mid-form. */
const FoundInput = lazyRouteComponent(() => import("./found-input.tsx"), "FoundInput");

type UnsavedInput<T extends FormValues> = {
  /** Identifies the form on its page. */
  name?: string;
  isUnsaved: boolean;
  /** Values of the form if nothing had been typed. */
  saved: () => FormValues;
  /** Values that the form shows. */
  typed: () => T;
  put: (values: T) => void;
  /** Puts back what was saved. */
  drop: () => void;
};

/** Names a form of this page, in this organisation. */
function useFormKey(): (name: string) => string {
  const orgId = useWorkspace()?.organization?.id;
  return (name) => `${orgId} ${window.location.pathname} ${name}`;
}

/** Asks whether something is kept of a form, for what opens that form. */
export function useHasUnsaved(): (name: string) => boolean {
  const keyOf = useFormKey();
  return (name) => hasUnsaved(keyOf(name));
}

/**
 * Keeps what was typed and not saved when the session ends in mid-form. Puts it back once, for the same person in the
 * same form, in this tab and within a day. Answers the word about it, to render where the form begins. Not for forms
 * that hold a password, a code or a key.
 */
export function useUnsavedInput<T extends FormValues>(input: UnsavedInput<T>): ReactNode {
  const { name = "", isUnsaved, saved, typed, put, drop } = input;
  const { auth } = useApp();
  const userId = useUserId();
  const keyOf = useFormKey();
  // As it was when the form opened: at the end of the session both are gone.
  const [owner] = useState(userId);
  const [form] = useState(() => keyOf(name));
  const [isFound] = useState(() => hasUnsaved(form));

  const keep = useEffectEvent(() => {
    if (isUnsaved) keepUnsaved(owner, form, { saved: saved(), typed: typed() });
  });
  useEffect(
    () =>
      auth.subscribe((now, before) => {
        // Signed out by themselves, here, or replaced by another person: nothing is kept.
        const isTheirs = now ? now.user.id === before?.user.id : auth.hasEnded();
        if (isTheirs && standing(now) !== standing(before)) keep();
      }),
    [auth],
  );

  if (!isFound) return null;
  const putBack = (complete: <V extends FormValues>(present: V) => V | null) => {
    const values = complete(typed());
    if (values) put(values);
    return values !== null;
  };
  return (
    <Suspense>
      <FoundInput form={form} isUnsaved={isUnsaved} saved={saved} putBack={putBack} drop={drop} />
    </Suspense>
  );
}
