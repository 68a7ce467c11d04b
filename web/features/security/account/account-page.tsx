import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { AccountDeletion } from "#domain/schemas/own-account.ts";
import { useApp } from "../../../lib/app-context.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { formatDate } from "../../../lib/format.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { buttonClass } from "../../../ui/button-class.ts";
import { Notice } from "../../../ui/notice.tsx";
import { TitledCard } from "../../../ui/titled-card.tsx";
import { Loading, SecurityFrame } from "../security-frame.tsx";
import { accountCopy as copy } from "./account.copy.ts";
import { accountQuery, useCopyData } from "./account.queries.ts";
import { DeleteDialog, type Proof } from "./delete-dialog.tsx";

/** `/settings/account`: a copy of one's own data, and the end of one's account. */
export function AccountPage({ proof }: { proof: Proof }) {
  return (
    <SecurityFrame title={copy.title} text={copy.text}>
      <CopyCard />
      <EndCard proof={proof} />
    </SecurityFrame>
  );
}

function CopyCard() {
  const take = useCopyData();
  return (
    <TitledCard title={copy.copy.title} text={copy.copy.text}>
      <Button
        variant="secondary"
        className="sm:justify-self-start"
        busy={take.isPending}
        onClick={() => take.mutate()}
      >
        {copy.copy.action}
      </Button>
      <p className="text-sm text-pretty text-muted">{copy.copy.hint}</p>
      {take.isSuccess && <Notice tone="done">{copy.copy.done}</Notice>}
      {take.isError && <Alert>{errorMessage(take.error)}</Alert>}
    </TitledCard>
  );
}

function EndCard({ proof }: { proof: Proof }) {
  const { supabase } = useApp();
  const loaded = useQuery(accountQuery(supabase));
  const [isAsked, setIsAsked] = useState(false);
  const organization = loaded.data?.organization;
  const isHeld = organization?.is_last_owner && organization.needs_owner;
  return (
    <TitledCard title={copy.end.title} text={copy.end.text}>
      {!loaded.data && <Loading of={loaded} lines={4} />}
      {organization && isHeld && <OwnerFirst organization={organization} />}
      {loaded.data && !isHeld && (
        <>
          <WhatGoes summary={loaded.data} />
          <Button
            variant="secondary"
            className="sm:justify-self-start"
            onClick={() => setIsAsked(true)}
          >
            <span className="text-coral-ink">{copy.end.action}</span>
          </Button>
        </>
      )}
      {isAsked && <DeleteDialog proof={proof} onClose={() => setIsAsked(false)} />}
    </TitledCard>
  );
}

type Organization = NonNullable<AccountDeletion["organization"]>;

/** Ways for the last owner of an organisation, before the account can go. */
function OwnerFirst({ organization }: { organization: Organization }) {
  const { name, erase_at, has_colleagues, has_running_payments } = organization;
  const words = copy.end.owner;
  if (erase_at !== null) {
    return (
      <div className="grid gap-3">
        <p className="text-pretty">{words.charged(name)}</p>
        <Way>
          <Link to="/settings" search={{ section: "subscription" }} className={WAY}>
            {words.portal}
          </Link>
        </Way>
      </div>
    );
  }
  return (
    <div className="grid gap-3">
      <p className="font-semibold text-pretty">{words.title(name)}</p>
      <p className="text-pretty text-muted">{words.text}</p>
      <Way>
        <Link to={has_colleagues ? "/settings/team" : "/team/invite"} className={WAY}>
          {has_colleagues ? words.transfer : words.invite}
        </Link>
        <Link to="/settings" search={{ section: "data" }} className={WAY}>
          {words.end}
        </Link>
      </Way>
      {has_running_payments && <p className="text-sm text-pretty text-muted">{words.payments}</p>}
    </div>
  );
}

const WAY = `${buttonClass({ variant: "secondary" })} text-left`;

function Way({ children }: { children: ReactNode }) {
  return <div className="grid max-w-md gap-3">{children}</div>;
}

/** Says plainly what goes with the account, and what stays of it. */
function WhatGoes({ summary: { organization, sessions } }: { summary: AccountDeletion }) {
  const { goes, stays } = copy.end;
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Facts title={copy.end.goesTitle}>
        <li>{goes.profile}</li>
        <li>{goes.sessions(sessions)}</li>
        {organization && <li>{goes.membership(organization.name)}</li>}
      </Facts>
      <Facts title={copy.end.staysTitle}>
        {!organization && <li>{stays.nothing}</li>}
        {organization &&
          (organization.is_last_owner && organization.erase_at ? (
            <li>{stays.ending(organization.name, formatDate(new Date(organization.erase_at)))}</li>
          ) : (
            <li>{stays.organization(organization.name)}</li>
          ))}
        {organization && organization.api_keys > 0 && <li>{stays.keys(organization.api_keys)}</li>}
        {organization && <li>{stays.trail}</li>}
        <li>{stays.backups}</li>
      </Facts>
    </div>
  );
}

function Facts({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid content-start gap-2">
      <h3 className="font-sans text-base font-semibold tracking-normal">{title}</h3>
      <ul className="grid list-disc gap-1.5 pl-5 text-pretty marker:text-muted">{children}</ul>
    </div>
  );
}
