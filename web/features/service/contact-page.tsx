import type { ReactNode } from "react";
import { contactTopics } from "#domain/schemas/contact-form.copy.ts";
import { contactTopic, MESSAGE_MAX_LENGTH } from "#domain/schemas/contact-form.ts";
import type { Operator } from "#domain/schemas/operator.ts";
import { buttonClass } from "../../ui/button-class.ts";
import { DeploymentValue } from "../../ui/deployment-value.tsx";
import { SelectInput } from "../../ui/forms/select-input.tsx";
import { TextArea } from "../../ui/forms/text-area.tsx";
import { TextInput } from "../../ui/forms/text-input.tsx";
import { SiteFooter } from "../../ui/site-footer.tsx";
import { SiteHeader } from "../../ui/site-header.tsx";
import { contactCopy as copy } from "./contact.copy.ts";

/** `/contact`: a form whose script is `web/site/contact.ts`; where no mailbox receives it the page says so. */
export function ContactPage({ operator }: { operator: Operator }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SiteHeader />
      <main className="mx-auto w-full max-w-2xl grow px-4 pt-12 pb-20 sm:px-8">
        <h1 className="text-3xl">{copy.title}</h1>
        <DeploymentValue
          entry="contact"
          value={true}
          otherwise={<p className="mt-4 text-lg text-pretty">{copy.nobody}</p>}
        >
          {() => (
            <>
              <p className="mt-4 text-lg text-pretty text-muted">{copy.intro}</p>
              <p className="mt-3 text-pretty text-muted">{copy.shop}</p>
              <ContactForm />
              <noscript>
                <p className="mt-8 font-semibold">{copy.unscripted}</p>
              </noscript>
            </>
          )}
        </DeploymentValue>
        <DeploymentValue entry="contact_email" value={operator.contact_email}>
          {(address) => <p className="mt-8 wrap-anywhere text-muted">{copy.writeTo(address)}</p>}
        </DeploymentValue>
      </main>
      <SiteFooter operator={operator} />
    </div>
  );
}

function ContactForm() {
  const { fields, hints } = copy;
  return (
    <>
      <form data-contact data-waits noValidate className="only-with-script mt-8 grid gap-5">
        <Labelled name="topic" label={fields.topic}>
          <SelectInput id="topic" name="topic">
            {contactTopic.options.map((topic) => (
              <option key={topic} value={topic}>
                {contactTopics[topic]}
              </option>
            ))}
          </SelectInput>
        </Labelled>
        <div className="grid gap-5 sm:grid-cols-2">
          <Labelled name="name" label={fields.name}>
            <TextInput id="name" name="name" autoComplete="name" aria-describedby="name-error" />
          </Labelled>
          <Labelled name="email" label={fields.email}>
            <TextInput
              id="email"
              name="email"
              type="email"
              autoComplete="email"
              aria-describedby="email-error"
            />
          </Labelled>
        </div>
        <Labelled name="message" label={fields.message} hint={hints.message}>
          <TextArea
            id="message"
            name="message"
            rows={6}
            className="min-h-40"
            maxLength={MESSAGE_MAX_LENGTH}
            aria-describedby="message-hint message-error"
          />
        </Labelled>
        <div hidden>
          <label htmlFor="website">{fields.website}</label>
          <input id="website" name="website" tabIndex={-1} autoComplete="off" />
        </div>
        <p
          role="alert"
          data-failure
          className="rounded-field bg-coral-soft px-4 py-3 font-medium text-coral-ink empty:hidden"
        />
        <button type="submit" className={buttonClass({ size: "lg" })}>
          {copy.send}
        </button>
        <p className="text-sm text-pretty text-muted">
          {copy.data.text}{" "}
          <a href="/legal/rgpd" className="font-semibold underline underline-offset-4">
            {copy.data.link}
          </a>
        </p>
      </form>
      <div
        data-sent
        hidden
        className="mt-8 rounded-card bg-mint-soft px-6 py-10 text-center text-mint-ink"
      >
        <h2 tabIndex={-1} className="text-2xl outline-none">
          {copy.sentTitle}
        </h2>
        <p className="mt-3 text-lg text-pretty">{copy.sent}</p>
        <button
          type="button"
          data-another
          className={`mt-6 ${buttonClass({ variant: "secondary" })}`}
        >
          {copy.another}
        </button>
      </div>
    </>
  );
}

type LabelledProps = { name: string; label: string; hint?: string; children: ReactNode };

/** A field with the place of its error, which the script fills. */
function Labelled({ name, label, hint, children }: LabelledProps) {
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={name} className="font-semibold">
        {label}
      </label>
      {hint && (
        <p id={`${name}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {children}
      <p id={`${name}-error`} className="text-sm font-medium text-coral-ink empty:hidden" />
    </div>
  );
}
