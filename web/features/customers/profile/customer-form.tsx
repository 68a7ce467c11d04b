import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { Link } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useState } from "react";
import { Controller, type UseFormReturn, useForm } from "react-hook-form";
import * as z from "zod/mini";
import { TEAM_TEXT_MAX_LENGTH } from "#domain/rules/constants.ts";
import { email, firstName, lastName, phone } from "#domain/rules/contact.ts";
import type { CustomerDetail, CustomerSaved } from "#domain/schemas/customers.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button, ButtonRow } from "../../../ui/button.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { Switch } from "../../../ui/forms/switch.tsx";
import { TextArea } from "../../../ui/forms/text-area.tsx";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import { useLeaveWarning } from "../../../ui/unsaved/use-leave-warning.tsx";
import { useUnsavedForm } from "../../../ui/unsaved/use-unsaved-form.ts";
import { type CustomerWrite, useSaveCustomer } from "../customers.mutations.ts";
import { customerFormCopy as copy } from "./customer-form.copy.ts";

/**
 * Text that is blank, or passes the rules of the customer's own form (specification, section 5).
 */
function blankOr<Schema extends z.ZodMiniType<string>>(schema: Schema) {
  return z.union([z.string().check(z.trim(), z.maxLength(0)), schema]);
}

const names = { firstName, lastName };
const rest = {
  note: z.string().check(z.maxLength(TEAM_TEXT_MAX_LENGTH, copy.noteTooLong)),
  consent: z.boolean(),
};

/**
 * The form of a customer. A customer who played with one name only has no last name, and keeps none;
 * one of e-mail and phone is needed.
 */
function customerForm(customer: CustomerDetail) {
  return z
    .object({
      ...names,
      lastName: customer.last_name !== null ? lastName : blankOr(lastName),
      email: z.string(),
      phone: z.string(),
      ...rest,
    })
    .check((context) => {
      const { value, issues } = context;
      const isBlank = (text: string) => text.trim() === "";
      if (isBlank(value.email) && isBlank(value.phone)) {
        issues.push({
          code: "custom",
          path: ["email"],
          message: copy.contactRequired,
          input: value.email,
        });
      }
      for (const [path, schema] of [
        ["email", email],
        ["phone", phone],
      ] as const) {
        // An address older than the rules stays, and lets the rest be saved.
        if (isBlank(value[path]) || value[path] === customer[path]) continue;
        const judged = schema.safeParse(value[path]);
        const message = judged.error?.issues[0]?.message;
        if (message) issues.push({ code: "custom", path: [path], message, input: value[path] });
      }
    });
}
type Form = z.infer<ReturnType<typeof customerForm>>;

/** Payload of a form that passed the schema; blanks count as nothing. */
function toWrite(form: Form): CustomerWrite {
  return {
    p_first_name: form.firstName.trim(),
    p_last_name: form.lastName.trim(),
    p_email: form.email.trim(),
    p_phone: form.phone.replace(/\s/g, " ").trim(),
    p_consent_marketing: form.consent,
    p_note: form.note.trim(),
  };
}

/** The form of a customer as they are now. A full name without parts is taken as the first name. */
function toForm(customer: CustomerDetail): Form {
  const hasParts = customer.first_name !== null || customer.last_name !== null;
  return {
    firstName: hasParts ? (customer.first_name ?? "") : customer.name,
    lastName: customer.last_name ?? "",
    email: customer.email ?? "",
    phone: customer.phone ?? "",
    note: customer.note ?? "",
    consent: customer.consent !== null,
  };
}

type CustomerFormProps = {
  customer: CustomerDetail;
  onSaved: () => void;
  onCancel: () => void;
  /** Reads the customer anew, giving up what was typed. */
  onReload: () => void;
};

/** Edits a customer. What was typed stays when saving fails. */
export function CustomerForm({ customer, onSaved, onCancel, onReload }: CustomerFormProps) {
  // The version that this form was filled from; the page behind it may be read anew meanwhile.
  const [initial] = useState(() => ({ form: toForm(customer), version: customer.version }));
  const [isDone, setIsDone] = useState(false);
  const form = useForm<Form>({
    defaultValues: initial.form,
    resolver: standardSchemaResolver(customerForm(customer)),
  });
  const save = useSaveCustomer({ id: customer.id, version: initial.version });
  const isUnsaved = form.formState.isDirty && !isDone;
  const leaveWarning = useLeaveWarning(isUnsaved);
  const found = useUnsavedForm(form, isUnsaved);

  const send = (values: Form) => {
    if (save.isPending) return;
    save.mutate(toWrite(values), {
      onSuccess: ({ outcome }) => {
        if (outcome === "saved") return setIsDone(true);
        if (outcome === "email_taken") form.setFocus("email");
        if (outcome === "phone_taken") form.setFocus("phone");
      },
    });
  };
  const leave = useEffectEvent(onSaved);
  useEffect(() => {
    // Once the warning knows that everything is saved.
    if (isDone) leave();
  }, [isDone]);

  return (
    <form
      noValidate
      onSubmit={form.handleSubmit(send, save.reset)}
      className="grid max-w-3xl gap-6 rounded-card bg-surface p-5 shadow-card sm:p-6"
    >
      <h2 className="text-xl">{copy.title}</h2>
      {found}
      <CustomerFields form={form} hadConsent={customer.consent !== null} />
      {save.data && <Refusal answer={save.data} onReload={onReload} />}
      {save.isError && (
        <Alert>
          {errorMessage(save.error, { forbidden: copy.forbidden, unknown: copy.failed })}
        </Alert>
      )}
      <ButtonRow isWide>
        <Button variant="secondary" waiting={save.isPending} onClick={onCancel}>
          {copy.cancel}
        </Button>
        <Button type="submit" busy={save.isPending}>
          {copy.save}
        </Button>
      </ButtonRow>
      {leaveWarning}
    </form>
  );
}

/** Reason why nothing was saved, with a link to the customer who has the same address or number. */
function Refusal({ answer, onReload }: { answer: CustomerSaved; onReload: () => void }) {
  if (answer.outcome === "saved") return null;
  if (answer.outcome === "conflict") {
    return (
      <Alert>
        <p>{copy.conflict}</p>
        <Button variant="secondary" className="mt-3" onClick={onReload}>
          {copy.reload}
        </Button>
      </Alert>
    );
  }
  const { id, name } = answer.other;
  return (
    <Alert>
      {answer.outcome === "email_taken" ? copy.emailTaken(name) : copy.phoneTaken(name)}{" "}
      <Link to="/customers/$customerId" params={{ customerId: id }} className="underline">
        {copy.seeOther}
      </Link>
    </Alert>
  );
}

type CustomerFieldsProps = { form: UseFormReturn<Form>; hadConsent: boolean };

const INPUTS = [
  { name: "firstName", label: copy.firstName, type: "text" },
  { name: "lastName", label: copy.lastName, type: "text" },
  { name: "email", label: copy.email, type: "email" },
  { name: "phone", label: copy.phone, type: "tel" },
] as const;

/** Editable fields of a customer. */
function CustomerFields({ form, hadConsent }: CustomerFieldsProps) {
  const { register, formState, control } = form;
  const { errors } = formState;
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      {INPUTS.map(({ name, label, type }) => (
        <Field key={name} label={label} error={errors[name]?.message}>
          {(field) => <TextInput {...field} {...register(name)} type={type} autoComplete="off" />}
        </Field>
      ))}
      <div className="sm:col-span-2">
        <Field label={copy.note} hint={copy.noteHint} error={errors.note?.message}>
          {(field) => <TextArea {...field} {...register("note")} />}
        </Field>
      </div>
      <div className="grid gap-1 sm:col-span-2">
        <Controller
          control={control}
          name="consent"
          render={({ field }) => (
            <Switch
              label={copy.consent}
              checked={field.value}
              onChange={field.onChange}
              hasText
              describedBy="consent-hint"
            />
          )}
        />
        <p id="consent-hint" className="text-sm text-muted">
          {hadConsent ? copy.withdrawHint : copy.consentHint}
        </p>
      </div>
    </div>
  );
}
