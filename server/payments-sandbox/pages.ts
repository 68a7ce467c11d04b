import { html } from "hono/html";
import { firstOfMonth } from "#domain/text/first-of-month.ts";
import { offerOf } from "../../supabase/functions/_shared/http/payments.ts";
import {
  type Customer,
  type Invoice,
  type Portal,
  priceOf,
  SANDBOX_PRICES,
  type Session,
  type Subscription,
  withTax,
} from "./objects.ts";
import { sandboxCopy } from "./sandbox.copy.ts";

type Html = ReturnType<typeof html>;

const euros = new Intl.NumberFormat("fr-FR", { style: "currency", currency: "EUR" });
const day = new Intl.DateTimeFormat("fr-FR", { dateStyle: "long", timeZone: "Europe/Paris" });

const money = (cents: number) => euros.format(cents / 100);
const date = (seconds: number) => firstOfMonth(day.format(new Date(seconds * 1000)));

function nameOf(priceId: string): string {
  const offer = offerOf(SANDBOX_PRICES, priceId);
  if (!offer) return priceId;
  return `${sandboxCopy.names[offer.plan]}, ${sandboxCopy.rhythms[offer.billing]}`;
}

/** A button that does one thing on this page. */
function act(action: string, label: string, kind = ""): Html {
  return html`<form method="post">
    <button name="action" value="${action}" class="${kind}">${label}</button>
  </form>`;
}

/** Pages to pay, to cancel, or to have a card refused. */
export function checkoutPage(session: Session, problem: string | null): Html {
  const copy = sandboxCopy.checkout;
  const isOpen = session.status === "open";
  const back = isOpen ? session.cancel_url : session.success_url;
  return frame(
    copy.title,
    html`${alert(isOpen ? problem : copy.over)}
      <section class="card">
        <h2>${nameOf(session.price)}</h2>
        <p class="amount">${money(withTax(priceOf(session.price)?.unit_amount ?? 0))}</p>
        <p class="muted">${copy.due}</p>
        ${
          isOpen
            ? html`<div class="actions">
                ${act("good", copy.pay, "primary")} ${act("declined", copy.payDeclined)}
                ${act("cancel", copy.cancel)}
              </div>`
            : html`<p><a href="${back}">${copy.back}</a></p>`
        }
      </section>`,
  );
}

type Account = {
  portal: Portal;
  customer: Customer;
  subscription: Subscription | null;
  invoices: readonly Invoice[];
  problem: string | null;
};

/** Card, bills and end of a subscription; and the time, which passes at will here. */
export function portalPage({ portal, customer, subscription, invoices, problem }: Account): Html {
  const copy = sandboxCopy.portal;
  return frame(
    copy.title,
    html`${alert(problem)}
      ${subscription ? subscriptionCard(subscription, customer) : html`<p>${copy.none}</p>`}
      <section class="card">
        <h2>${copy.card}</h2>
        <p>${copy.cards[customer.card ?? "none"]}</p>
        <div class="actions">
          ${act("card-good", copy.useGood)} ${act("card-declined", copy.useDeclined)}
        </div>
      </section>
      <section class="card">
        <h2>${copy.invoices}</h2>
        ${invoices.length === 0 ? html`<p>${copy.noInvoice}</p>` : table(invoices)}
        ${invoices.some(({ status }) => status === "open") ? act("pay", copy.pay, "primary") : ""}
      </section>
      ${subscription && subscription.status !== "canceled" ? passingTime() : ""}
      <p><a href="${portal.return_url}">${copy.back}</a></p>`,
  );
}

function subscriptionCard(subscription: Subscription, customer: Customer): Html {
  const copy = sandboxCopy.portal;
  const [item] = subscription.items.data;
  const isOver = subscription.status === "canceled";
  return html`<section class="card">
    <h2>${copy.plan} ${nameOf(item.price.id)}</h2>
    <dl>
      <dt>${copy.status}</dt>
      <dd>${copy.statuses[subscription.status]}</dd>
      <dt>${copy.period}</dt>
      <dd>${date(item.current_period_end)}</dd>
      ${
        customer.balance < 0
          ? html`<dt>${copy.credit}</dt>
              <dd>${money(-customer.balance)}</dd>`
          : ""
      }
    </dl>
    ${subscription.cancel_at_period_end && !isOver ? html`<p>${copy.cancelling}</p>` : ""}
    ${
      isOver
        ? ""
        : subscription.cancel_at_period_end
          ? act("resume", copy.resume)
          : act("cancel", copy.cancel)
    }
  </section>`;
}

function table(invoices: readonly Invoice[]): Html {
  const copy = sandboxCopy.portal;
  return html`<table>
    <thead>
      <tr>
        <th>${copy.number}</th>
        <th>${copy.date}</th>
        <th>${copy.amount}</th>
        <th>${copy.status}</th>
      </tr>
    </thead>
    <tbody>
      ${invoices.map(
        (invoice) =>
          html`<tr>
            <td>${invoice.number}</td>
            <td>${date(invoice.created)}</td>
            <td>${money(invoice.total)}</td>
            <td>${copy.paid[invoice.status]}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function passingTime(): Html {
  const copy = sandboxCopy.portal;
  return html`<section class="card">
    <h2>${copy.time}</h2>
    <p class="muted">${copy.timeText}</p>
    <div class="actions">
      ${act("renew", copy.renew)} ${act("age", copy.age)} ${act("end", copy.end)}
    </div>
  </section>`;
}

function alert(problem: string | null): Html | string {
  return problem === null ? "" : html`<p role="alert" class="problem">${problem}</p>`;
}

function frame(title: string, content: Html): Html {
  return html`<!doctype html>
    <html lang="fr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Tournavis</title>
        <link rel="icon" href="/favicon.svg" />
        <link rel="stylesheet" href="/_dev/payments/style.css" />
      </head>
      <body>
        <p class="mark">${sandboxCopy.mark}</p>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`;
}
