import { html } from "hono/html";
import { firstOfMonth } from "#domain/text/first-of-month.ts";
import type { Captured } from "./captured.ts";
import { mailboxCopy as copy } from "./mailbox.copy.ts";

type Html = ReturnType<typeof html>;

/** Rights of a message's own page: none, but to lead the whole window to where a link goes. */
export const SANDBOX =
  "allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation";

const when = new Intl.DateTimeFormat("fr-FR", { dateStyle: "long", timeStyle: "medium" });

/** The list of captured messages. */
export function listPage(messages: readonly Captured[], to: string | null): Html {
  return frame(
    html`<p class="explanation">${copy.explanation}</p>
      <form class="tools" action="/_dev/mailbox">
        <label for="to">${copy.search}</label>
        <input id="to" name="to" type="search" value="${to ?? ""}" autocomplete="off" />
        <button>${copy.searchAction}</button>
        <a class="button" href="${listAddress(to)}">${copy.refresh}</a>
      </form>
      ${
        messages.length > 0
          ? html`<ul class="list">
              ${messages.map(row)}
            </ul>`
          : empty(to)
      }`,
  );
}

function listAddress(to: string | null): string {
  return to === null ? "/_dev/mailbox" : `/_dev/mailbox?to=${encodeURIComponent(to)}`;
}

function row(message: Captured): Html {
  return html`<li>
    <a href="/_dev/mailbox/${message.id}">
      <span class="kind ${message.channel}">${copy[message.channel]}</span>
      <strong>${message.subject ?? message.text}</strong>
      <span class="recipient">${message.to}</span>
      ${time(message)}
    </a>
  </li>`;
}

function time({ created_at }: Captured): Html {
  return html`<time datetime="${created_at.toISOString()}">${firstOfMonth(when.format(created_at))}</time>`;
}

function empty(to: string | null): Html {
  if (to !== null) {
    return html`<div class="empty">
      <p><strong>${copy.noMatch}</strong></p>
      <p><a href="/_dev/mailbox">${copy.all}</a></p>
    </div>`;
  }
  return html`<div class="empty">
    <p><strong>${copy.empty}</strong></p>
    <p>${copy.emptyHint}</p>
  </div>`;
}

/** One message: as a mail program shows it, in a frame that can do nothing, and as plain text. */
export function messagePage(message: Captured): Html {
  return frame(
    html`<p><a href="/_dev/mailbox">← ${copy.back}</a></p>
      <article>
        <header>
          <h2>${message.subject ?? copy.sms}</h2>
          <p class="recipient">${copy.to} ${message.to} · ${time(message)}</p>
          ${message.files.map(
            ({ name, href }) => html`<p><a href="${href}" download="${name}">${name}</a></p>`,
          )}
        </header>
        ${
          message.html === null
            ? html`<pre>${linked(message.text)}</pre>`
            : html`<iframe
                  src="/_dev/mailbox/${message.id}/html"
                  title="${copy.preview}"
                  sandbox="${SANDBOX}"
                ></iframe>
                <details>
                  <summary>${copy.plainText}</summary>
                  <pre>${linked(message.text)}</pre>
                </details>`
        }
      </article>`,
  );
}

/** Plain text whose addresses can be followed. */
function linked(text: string): (Html | string)[] {
  return text
    .split(/(https?:\/\/\S+)/)
    .map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : part));
}

function frame(content: Html): Html {
  return html`<!doctype html>
    <html lang="fr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${copy.title} · Tournavis</title>
        <link rel="icon" href="/favicon.svg" />
        <link rel="stylesheet" href="/_dev/mailbox/style.css" />
      </head>
      <body>
        <header class="top">
          <a class="brand" href="/">
            <img src="/favicon.svg" alt="" width="32" height="32" />
            <span>tournavis</span>
          </a>
          <h1>${copy.title}</h1>
        </header>
        <main>${content}</main>
      </body>
    </html>`;
}
