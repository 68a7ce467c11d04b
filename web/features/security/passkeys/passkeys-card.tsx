import { useQuery } from "@tanstack/react-query";
import { FingerprintPattern } from "lucide-react";
import { useState } from "react";
import { useApp } from "../../../lib/app-context.ts";
import { AppError } from "../../../lib/app-error.ts";
import { knowsPasskeys } from "../../../lib/auth/knows-passkeys.ts";
import { passkeyCopy } from "../../../lib/auth/passkey.copy.ts";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Card } from "../card.tsx";
import { EnrolProblem } from "../factors/enrol-problem.tsx";
import { LoadProblem } from "../load-problem.tsx";
import { securityCopy } from "../security.copy.ts";
import { Skeleton } from "../skeleton.tsx";
import { PasskeyList } from "./passkey-list.tsx";
import { passkeysQuery, useAddPasskey } from "./passkeys.ts";

const copy = securityCopy.passkeys;

/** Passkeys as a way in beside the password: the list, and one more for this device. */
export function PasskeysCard() {
  const { supabase } = useApp();
  const passkeys = useQuery(passkeysQuery(supabase));
  const [news, setNews] = useState<string | null>(null);
  const add = useAddPasskey();
  const isClosed = passkeys.error instanceof AppError && passkeys.error.code === "passkey_disabled";
  const canAdd = knowsPasskeys();
  if (isClosed || (!canAdd && !passkeys.data?.length)) return null;
  return (
    <Card>
      <h2 className="flex items-center gap-3 text-xl">
        <FingerprintPattern aria-hidden="true" className="size-6 text-violet" />
        {copy.title}
      </h2>
      <p className="max-w-[60ch] text-pretty text-muted">{copy.text}</p>
      <LoadProblem loading={passkeys} />
      {passkeys.isPending && <Skeleton lines={1} />}
      {news && <Notice tone="done">{news}</Notice>}
      {passkeys.data && passkeys.data.length > 0 && (
        <PasskeyList passkeys={passkeys.data} onNews={setNews} />
      )}
      <EnrolProblem error={add.error} words={passkeyCopy.problems} signInAgain={copy.signInAgain} />
      {passkeys.data && canAdd && (
        <Button
          variant="secondary"
          className="justify-self-start"
          busy={add.isPending}
          onClick={() => {
            setNews(null);
            add.mutate(undefined, { onSuccess: () => setNews(copy.added) });
          }}
        >
          {copy.add}
        </Button>
      )}
    </Card>
  );
}
