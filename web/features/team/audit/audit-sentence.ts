import type { AuditEvent } from "#domain/schemas/team.ts";
import {
  auditCopy,
  type Facts,
  fieldNames,
  listWords,
  planWords,
  roleWords,
} from "./audit.copy.ts";

function factsOf({ detail, subject_type }: AuditEvent): Facts {
  const { name, host = "", former_name, fields, role = "", former_role = "", count = 0 } = detail;
  const { plan, former_plan, billing, former_billing } = detail;
  return {
    name: name ?? "",
    host,
    count,
    formerName: former_name ?? "",
    fields: fieldNames(fields),
    role: roleWords(role),
    formerRole: roleWords(former_role),
    plan: planWords(plan, billing),
    formerPlan: planWords(former_plan, former_billing),
    list: listWords(subject_type),
  };
}

/** Author of the entry: the name at that time, a customer, or the platform. */
export function auditActor({ by, action, is_platform: isPlatform }: AuditEvent): string {
  if (action === "customer.consent_withdrawn") return auditCopy.customer;
  return isPlatform ? auditCopy.platform : (by ?? auditCopy.somebody);
}

/** Action of an event, to follow the person's name. */
export function auditSentence(event: AuditEvent): string {
  const sentence = auditCopy.sentences[event.action];
  return sentence ? sentence(factsOf(event)) : auditCopy.unknown(event.action);
}

/** An action as the filter names it: « Magasins : archivage ». */
export function auditActionName(action: string): string {
  const [thing = "", verb = ""] = action.split(".");
  const words = [auditCopy.things[thing], auditCopy.verbs[verb]];
  return words.every(Boolean) ? words.join(" : ") : action;
}
