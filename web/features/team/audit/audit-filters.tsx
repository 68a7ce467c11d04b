import type { AuditTrail } from "#domain/schemas/team.ts";
import { Field } from "../../../ui/forms/field.tsx";
import { SelectInput } from "../../../ui/forms/select-input.tsx";
import type { AuditView } from "../team.queries.ts";
import { auditCopy as copy } from "./audit.copy.ts";
import { auditActionName } from "./audit-sentence.ts";

type AuditFiltersProps = {
  trail: AuditTrail | undefined;
  view: AuditView;
  onView: (view: AuditView) => void;
};

/** Whose activity, and which kind; each change begins at the newest entry. */
export function AuditFilters({ trail, view, onView }: AuditFiltersProps) {
  const people = trail?.people ?? [];
  const actions = trail?.actions ?? [];
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label={copy.person}>
        {(control) => (
          <SelectInput
            {...control}
            value={view.person ?? ""}
            onChange={({ target }) =>
              onView({
                ...view,
                person: target.value || undefined,
                before: undefined,
                after: undefined,
              })
            }
          >
            <option value="">{copy.everybody}</option>
            {people.map(({ id, name }) => (
              <option key={id} value={id}>
                {name ?? copy.somebody}
              </option>
            ))}
          </SelectInput>
        )}
      </Field>
      <Field label={copy.action}>
        {(control) => (
          <SelectInput
            {...control}
            value={view.action ?? ""}
            onChange={({ target }) =>
              onView({
                ...view,
                action: target.value || undefined,
                before: undefined,
                after: undefined,
              })
            }
          >
            <option value="">{copy.everything}</option>
            {actions.map((action) => (
              <option key={action} value={action}>
                {auditActionName(action)}
              </option>
            ))}
          </SelectInput>
        )}
      </Field>
    </div>
  );
}
