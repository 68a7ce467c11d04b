import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Controller, type UseFormReturn, useForm } from "react-hook-form";
import type { CustomerDetail, CustomerSaved } from "#domain/schemas/customers.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { Switch } from "../../../ui/forms/switch.tsx";
import { TextArea } from "../../../ui/forms/text-area.tsx";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import { useLeaveWarning } from "../../../ui/unsaved/use-leave-warning.tsx";
import { useUnsavedForm } from "../../../ui/unsaved/use-unsaved-form.ts";
import { useSaveCustomer } from "../customers.mutations.ts";
import { customerForm, type CustomerForm as Form, toForm, toWrite } from "./customer.schema.ts";
import { customerFormCopy as copy } from "./customer-form.copy.ts";

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
    resolver: standardSchemaResolver(customerForm(customer.last_name !== null)),
    mode: "onTouched",
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
  // Leaving asks nothing when everything is saved.
  if (isDone) queueMicrotask(onSaved);

  return (
    <form
      noValidate
      onSubmit={form.handleSubmit(send)}
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
      <div className="flex flex-wrap justify-end gap-3 max-sm:*:grow">
        <Button variant="secondary" waiting={save.isPending} onClick={onCancel}>
          {copy.cancel}
        </Button>
        <Button type="submit" busy={save.isPending}>
          {copy.save}
        </Button>
      </div>
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
