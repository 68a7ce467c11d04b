import { type SubmitEvent, useState } from "react";
import { passkeyCopy } from "../../../lib/auth/passkey.copy.ts";
import { Button } from "../../../ui/button.tsx";
import { uiCopy } from "../../../ui/ui.copy.ts";
import { Card } from "../card.tsx";
import { securityCopy } from "../security.copy.ts";
import { useEnrolPasskey } from "../security.mutations.ts";
import { EnrolProblem } from "./enrol-problem.tsx";
import type { EnrolProps } from "./enrol-totp.tsx";
import { NameField } from "./name-field.tsx";

const copy = securityCopy.factors;

/** Adds the key of a device: a name, and the device asks the rest. */
export function EnrolPasskey({ factors, isFirst, onDone, onCancel }: EnrolProps) {
  const [name, setName] = useState<string>(passkeyCopy.name);
  const [isBlank, setIsBlank] = useState(false);
  const enrol = useEnrolPasskey();

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsBlank(!name.trim());
    if (!name.trim() || enrol.isPending) return;
    enrol.mutate({ name: name.trim(), factors }, { onSuccess: onDone });
  };

  return (
    <Card>
      <h2 className="text-xl">{passkeyCopy.title}</h2>
      <form noValidate className="grid max-w-sm gap-5" onSubmit={submit}>
        <p className="text-pretty text-muted">{passkeyCopy.intro}</p>
        {isFirst && <p className="text-pretty text-muted">{copy.codesFollow}</p>}
        <EnrolProblem error={enrol.error} words={passkeyCopy.problems} />
        <NameField value={name} isBlank={isBlank} onChange={setName} />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" busy={enrol.isPending}>
            {passkeyCopy.make}
          </Button>
          <Button variant="quiet" onClick={onCancel}>
            {uiCopy.cancel}
          </Button>
        </div>
      </form>
    </Card>
  );
}
