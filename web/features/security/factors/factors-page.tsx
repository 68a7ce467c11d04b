import { useQuery } from "@tanstack/react-query";
import {
  FingerprintPattern,
  MessageSquareText,
  ShieldCheck,
  ShieldOff,
  Smartphone,
} from "lucide-react";
import { useState } from "react";
import { useApp } from "../../../lib/app-context.ts";
import { knowsPasskeys } from "../../../lib/auth/knows-passkeys.ts";
import { passkeyCopy } from "../../../lib/auth/passkey.copy.ts";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Card } from "../card.tsx";
import { LoadProblem } from "../load-problem.tsx";
import { securityCopy } from "../security.copy.ts";
import { useCreateRecoveryCodes } from "../security.mutations.ts";
import { type Factor, factorsQuery } from "../security.queries.ts";
import { SecurityFrame } from "../security-frame.tsx";
import { Skeleton } from "../skeleton.tsx";
import { EnrolPasskey } from "./enrol-passkey.tsx";
import { EnrolPhone } from "./enrol-phone.tsx";
import { EnrolTotp } from "./enrol-totp.tsx";
import { FactorList } from "./factor-list.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";

const copy = securityCopy.factors;

/** `/settings/2fa`: the second factors of one's account, and the codes for when they are lost. */
export function FactorsPage() {
  const { supabase, config } = useApp();
  const factors = useQuery(factorsQuery(supabase));
  const [adding, setAdding] = useState<Factor["kind"] | null>(null);
  const [news, setNews] = useState<string | null>(null);
  const all = factors.data ?? [];
  const verified = all.filter(({ isVerified }) => isVerified);
  const isOn = verified.length > 0;

  const codes = useCreateRecoveryCodes();

  const close = () => setAdding(null);
  const finish = () => {
    close();
    setNews(copy.added);
    // The codes belong to turning it on: without them a lost phone locks the account.
    if (!isOn) codes.mutate();
  };
  const begin = (kind: Factor["kind"]) => {
    setNews(null);
    setAdding(kind);
  };

  return (
    <SecurityFrame title={copy.title} text={copy.text}>
      <Card>
        <LoadProblem loading={factors} />
        {factors.isPending && <Skeleton />}
        {factors.data && (
          <>
            <State isOn={isOn} />
            {news && <Notice tone="done">{news}</Notice>}
            {isOn && <FactorList factors={verified} onRemoved={() => setNews(copy.removed)} />}
            {adding === null && !codes.data && !codes.isPending && (
              <div className="flex flex-wrap gap-3">
                <Button variant={isOn ? "secondary" : "primary"} onClick={() => begin("totp")}>
                  <Smartphone aria-hidden="true" className="size-5" />
                  {copy.addTotp}
                </Button>
                {knowsPasskeys() && (
                  <Button variant="secondary" onClick={() => begin("webauthn")}>
                    <FingerprintPattern aria-hidden="true" className="size-5" />
                    {passkeyCopy.add}
                  </Button>
                )}
                {config.phone && (
                  <Button variant="secondary" onClick={() => begin("phone")}>
                    <MessageSquareText aria-hidden="true" className="size-5" />
                    {copy.addPhone}
                  </Button>
                )}
              </div>
            )}
          </>
        )}
      </Card>
      {adding === "totp" && (
        <EnrolTotp factors={all} isFirst={!isOn} onDone={finish} onCancel={close} />
      )}
      {adding === "webauthn" && (
        <EnrolPasskey factors={all} isFirst={!isOn} onDone={finish} onCancel={close} />
      )}
      {adding === "phone" && (
        <EnrolPhone factors={all} isFirst={!isOn} onDone={finish} onCancel={close} />
      )}
      {isOn && adding === null && <RecoveryCodes create={codes} />}
    </SecurityFrame>
  );
}

function State({ isOn }: { isOn: boolean }) {
  const Icon = isOn ? ShieldCheck : ShieldOff;
  return (
    <p className="flex items-center gap-3 text-lg font-semibold">
      <Icon
        aria-hidden="true"
        className={`size-7 shrink-0 ${isOn ? "text-mint-ink" : "text-muted"}`}
      />
      {isOn ? copy.on : copy.off}
    </p>
  );
}
