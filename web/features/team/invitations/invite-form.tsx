import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useForm } from "react-hook-form";
import type { TeamRole } from "#domain/schemas/team.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { buttonClass } from "../../../ui/button-class.ts";
import { Field } from "../../../ui/forms/field.tsx";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { useLeaveWarning } from "../../../ui/unsaved/use-leave-warning.tsx";
import { useUnsavedForm } from "../../../ui/unsaved/use-unsaved-form.ts";
import { RoleChoice } from "../roles/role-choice.tsx";
import { isTillRole } from "../roles/role-words.ts";
import { StoreChoice } from "../store-choice.tsx";
import { teamCopy } from "../team.copy.ts";
import { useInvite } from "../team.mutations.ts";
import { inviteForm, type InviteForm as Values } from "../team.schema.ts";
import { teamFailure } from "../team-failure.ts";

const copy = teamCopy.form;

type InviteFormProps = {
  isFull: boolean;
  roles: readonly TeamRole[];
  /** Those of them that the reader may give, from the smallest; one at least. */
  offered: readonly TeamRole[];
};

/** Whom to invite, and as what. Several in a row: the form stays, empty again. */
export function InviteForm({ isFull, roles, offered }: InviteFormProps) {
  const blank: Values = { email: "", role: offered[0]?.role ?? "", storeId: "" };
  const form = useForm<Values>({
    resolver: standardSchemaResolver(inviteForm),
    defaultValues: blank,
  });
  const invite = useInvite();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { isDirty } = form.formState;
  const leaveWarning = useLeaveWarning(isDirty);
  const found = useUnsavedForm(form, isDirty);
  const { errors } = form.formState;
  const problem = teamFailure(invite.error);
  const send = (values: Values) => {
    if (invite.isPending) return;
    setSentTo(null);
    invite.mutate(values, {
      onSuccess: () => {
        setSentTo(values.email);
        form.reset({ ...blank, role: values.role, storeId: values.storeId });
      },
    });
  };
  return (
    <form
      noValidate
      className="grid gap-6 rounded-card bg-surface p-5 shadow-card sm:p-6"
      onSubmit={form.handleSubmit(send)}
    >
      {found}
      {sentTo && <Notice tone="done">{copy.sent(sentTo)}</Notice>}
      <Field label={copy.email} error={errors.email?.message}>
        {(control) => (
          <TextInput
            {...control}
            {...form.register("email")}
            type="email"
            inputMode="email"
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
          />
        )}
      </Field>
      <RoleChoice field={form.register("role")} roles={offered} />
      {isTillRole(roles, form.watch("role")) && <StoreChoice field={form.register("storeId")} />}
      {problem && <Alert>{problem}</Alert>}
      <div className="flex flex-wrap justify-end gap-3 max-sm:*:grow">
        <Link to="/settings/team" className={buttonClass({ variant: "secondary" })}>
          {copy.cancel}
        </Link>
        <Button type="submit" busy={invite.isPending} waiting={isFull}>
          {copy.submit}
        </Button>
      </div>
      {leaveWarning}
    </form>
  );
}
