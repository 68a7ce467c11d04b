import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApp } from "../../lib/app-context.ts";
import { useUserId } from "../../lib/auth/use-session.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Field } from "../../ui/forms/field.tsx";
import { SelectInput } from "../../ui/forms/select-input.tsx";
import { Notice } from "../../ui/notice.tsx";
import { TitledCard } from "../../ui/titled-card.tsx";
import { memberName } from "./member-name.ts";
import { teamCopy } from "./team.copy.ts";
import { useTransferOwnership } from "./team.mutations.ts";
import { teamQuery } from "./team.queries.ts";
import { teamFailure } from "./team-failure.ts";

const copy = teamCopy.ownership;

/** Hands the organisation over to another member; for its owner. */
export function OwnershipCard({ orgId, isOwner }: { orgId: string; isOwner: boolean }) {
  const { supabase } = useApp();
  const { data } = useQuery({ ...teamQuery(supabase, orgId), enabled: isOwner });
  const me = useUserId();
  const transfer = useTransferOwnership();
  const [chosen, setChosen] = useState("");
  const [isAsked, setIsAsked] = useState(false);
  const [news, setNews] = useState<string | null>(null);
  const others = data?.members.filter(({ id }) => id !== me) ?? [];
  const heir = others.find(({ id }) => id === chosen);
  const name = heir ? memberName(heir) : "";

  if (news) return <Notice tone="done">{news}</Notice>;
  if (!isOwner || !data) return null;
  return (
    <TitledCard title={copy.title}>
      <p className="max-w-[60ch] text-pretty text-muted">{copy.text}</p>
      {others.length === 0 ? (
        <p>{copy.nobody}</p>
      ) : (
        <div className="flex flex-wrap items-end gap-3">
          <div className="min-w-0 flex-1 basis-60">
            <Field label={copy.who}>
              {(control) => (
                <SelectInput
                  {...control}
                  value={chosen}
                  onChange={(event) => setChosen(event.target.value)}
                >
                  <option value="">{copy.choose}</option>
                  {others.map((member) => (
                    <option key={member.id} value={member.id}>
                      {memberName(member)}
                    </option>
                  ))}
                </SelectInput>
              )}
            </Field>
          </div>
          <Button
            variant="secondary"
            className="min-h-12"
            waiting={!heir}
            onClick={() => {
              transfer.reset();
              setIsAsked(true);
            }}
          >
            {copy.action}
          </Button>
        </div>
      )}
      {isAsked && heir && (
        <ConfirmDialog
          title={copy.confirmTitle(name)}
          action={copy.action}
          busy={transfer.isPending}
          problem={teamFailure(transfer.error)}
          onConfirm={() =>
            transfer.mutate(heir.id, {
              onSuccess: () => {
                setIsAsked(false);
                setNews(copy.done(name));
              },
            })
          }
          onClose={() => setIsAsked(false)}
        >
          {copy.confirmText(name)}
        </ConfirmDialog>
      )}
    </TitledCard>
  );
}
