import type { AuditTrail } from "#domain/schemas/team.ts";
import { SelectField } from "../../../ui/forms/select-field.tsx";
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
  const change = (changed: Partial<AuditView>) =>
    onView({ ...view, ...changed, before: undefined, after: undefined });
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        label={copy.person}
        value={view.person ?? ""}
        onChange={(person) => change({ person: person || undefined })}
      >
        <option value="">{copy.everybody}</option>
        {people.map(({ id, name }) => (
          <option key={id} value={id}>
            {name ?? copy.somebody}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={copy.action}
        value={view.action ?? ""}
        onChange={(action) => change({ action: action || undefined })}
      >
        <option value="">{copy.everything}</option>
        {actions.map((action) => (
          <option key={action} value={action}>
            {auditActionName(action)}
          </option>
        ))}
      </SelectField>
    </div>
  );
}
