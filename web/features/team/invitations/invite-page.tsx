import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { isEmailAddress } from "#domain/rules/email-address.ts";
import type { TeamRole } from "#domain/schemas/team.ts";
import { useApp } from "../../../lib/app-context.ts";
import { usePageTitle } from "../../../lib/page-title.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button, ButtonRow } from "../../../ui/button.tsx";
import { buttonClass } from "../../../ui/button-class.ts";
import { Field } from "../../../ui/forms/field.tsx";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { EmptyState } from "../../../ui/states/empty-state.tsx";
import { ListSkeleton } from "../../../ui/states/list-skeleton.tsx";
import { LoadProblem } from "../../../ui/states/load-problem.tsx";
import { useLeaveWarning } from "../../../ui/unsaved/use-leave-warning.tsx";
import { useUnsavedForm } from "../../../ui/unsaved/use-unsaved-form.ts";
import { PlaceFields, rolesToGive, SeatsNotice } from "../place-fields.tsx";
import { teamCopy } from "../team.copy.ts";
import { useInvite } from "../team.mutations.ts";
import { teamQuery } from "../team.queries.ts";
import { teamFailure, teamLoadFailure } from "../team-words.ts";

const copy = teamCopy.form;

/** `/team/invite`. */
export function InvitePage({ orgId }: { orgId: string }) {
  usePageTitle(copy.title);
  const { supabase } = useApp();
  const query = useQuery(teamQuery(supabase, orgId));
  const team = query.data;
  const problem = teamLoadFailure(query);
  if (problem) {
    return (
      <LoadProblem text={problem} isRetrying={query.isFetching} onRetry={() => query.refetch()} />
    );
  }
  // Members cannot grant more than they have themselves: a small role may have nothing to grant.
  const offered = rolesToGive(team?.roles ?? []);
  const isFull = team !== undefined && team.limit >= 0 && team.used >= team.limit;
  return (
    <div className="mx-auto grid w-full max-w-2xl gap-8">
      <PageHeader
        back={{ to: "/settings/team", label: teamCopy.title }}
        title={copy.title}
        text={copy.text}
      />
      {!team && <ListSkeleton />}
      {team && (
        <>
          {isFull && <SeatsNotice limit={team.limit} />}
          {offered.length > 0 ? (
            <InviteForm isFull={isFull} roles={team.roles} offered={offered} />
          ) : (
            <EmptyState title={copy.noRole.title} text={copy.noRole.text} />
          )}
        </>
      )}
    </div>
  );
}

const inviteForm = z.object({
  email: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, { error: copy.rules.emailRequired, abort: true }),
      z.refine(isEmailAddress, copy.rules.emailInvalid),
    ),
  role: z.string(),
  storeId: z.string(),
});
type Values = z.infer<typeof inviteForm>;

type InviteFormProps = {
  isFull: boolean;
  roles: readonly TeamRole[];
  /** Those of them that the reader may give, from the smallest; one at least. */
  offered: readonly TeamRole[];
};

/** Whom to invite, and as what. Several in a row: the form stays, empty again. */
function InviteForm({ isFull, roles, offered }: InviteFormProps) {
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
    const sent = form.getValues("email");
    invite.mutate(values, {
      onSuccess: () => {
        setSentTo(values.email);
        const email = form.getValues("email");
        form.reset({ ...blank, role: values.role, storeId: values.storeId });
        // The next address, typed while this one was on its way, stays.
        if (email !== sent) form.setValue("email", email, { shouldDirty: true });
      },
    });
  };
  return (
    <form
      noValidate
      className="grid gap-6 rounded-card bg-surface p-5 shadow-card sm:p-6"
      onSubmit={form.handleSubmit(send, () => {
        setSentTo(null);
        invite.reset();
      })}
    >
      {found}
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
      <PlaceFields
        roles={roles}
        offered={offered}
        role={form.watch("role")}
        register={form.register}
      />
      {problem && <Alert>{problem}</Alert>}
      {/* Where it was pressed: on a phone the head of the form is out of sight. */}
      {sentTo && <Notice tone="done">{copy.sent(sentTo)}</Notice>}
      <ButtonRow isWide>
        <Link to="/settings/team" className={buttonClass({ variant: "secondary" })}>
          {copy.cancel}
        </Link>
        <Button type="submit" busy={invite.isPending} waiting={isFull}>
          {copy.submit}
        </Button>
      </ButtonRow>
      {leaveWarning}
    </form>
  );
}
