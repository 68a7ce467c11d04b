import { Controller, type UseFormReturn } from "react-hook-form";
import { Field } from "../../ui/forms/field.tsx";
import { Switch } from "../../ui/forms/switch.tsx";
import { TextArea } from "../../ui/forms/text-area.tsx";
import { TextInput } from "../../ui/forms/text-input.tsx";
import type { CustomerForm } from "./customer.schema.ts";
import { customerFormCopy as copy } from "./customer-form.copy.ts";

type CustomerFieldsProps = { form: UseFormReturn<CustomerForm>; hadConsent: boolean };

const INPUTS = [
  { name: "firstName", label: copy.firstName, type: "text" },
  { name: "lastName", label: copy.lastName, type: "text" },
  { name: "email", label: copy.email, type: "email" },
  { name: "phone", label: copy.phone, type: "tel" },
] as const;

/** What can be changed of a customer. */
export function CustomerFields({ form, hadConsent }: CustomerFieldsProps) {
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
