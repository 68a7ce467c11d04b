import { contactRequest, contactTopic } from "#domain/schemas/contact-form.ts";
import { newId } from "#domain/text/new-id.ts";
import { contactCopy as copy } from "../features/service/contact.copy.ts";
import { tabMemory } from "../lib/device-memory.ts";
import { retryAfter } from "../lib/retry-after.ts";
import { functionAddress, TIMEOUT_MS } from "./functions-origin.ts";
import "./contact.css";

/** Typed text is kept until it is sent, or the tab closes: a reload loses nothing. */
const DRAFT = "tournavis-contact";

const FIELDS = ["name", "email", "message"] as const;
const KEPT = ["topic", ...FIELDS] as const;

const form = document.querySelector<HTMLFormElement>("[data-contact]");
const sent = document.querySelector<HTMLElement>("[data-sent]");
if (form && sent) startForm(form, sent);

type FieldName = (typeof FIELDS)[number];

function startForm(page: HTMLFormElement, thanks: HTMLElement): void {
  const failure = page.querySelector<HTMLElement>("[data-failure]");
  const button = page.querySelector("button");
  if (!failure || !button) return;
  // The same until it has arrived: what is sent twice arrives once.
  let requestId = newId();
  let isSending = false;
  putDraft(page);

  page.addEventListener("input", ({ target }) => {
    const typed = new URLSearchParams(KEPT.map((name) => [name, read(page, name)]));
    tabMemory.write(DRAFT, typed.toString());
    // Another text is another message.
    if (!isSending) requestId = newId();
    const name = FIELDS.find((field) => field === (target as Element | null)?.id);
    if (name) showError(page, name, "");
  });

  const send = async () => {
    const request = checked(page, requestId);
    failure.textContent = "";
    if (request === null) return;
    isSending = true;
    button.ariaDisabled = "true";
    button.textContent = copy.sending;
    failure.textContent = (await sendOut(request)) ?? "";
    isSending = false;
    button.ariaDisabled = null;
    button.textContent = copy.send;
    if (failure.textContent !== "") return;
    tabMemory.write(DRAFT, "");
    page.hidden = true;
    thanks.hidden = false;
    thanks.querySelector("h2")?.focus();
  };

  page.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!isSending) void send();
  });
  thanks.querySelector("[data-another]")?.addEventListener("click", () => {
    page.reset();
    requestId = newId();
    thanks.hidden = true;
    page.hidden = false;
    control(page, "message")?.focus();
  });
  page.removeAttribute("data-waits");
  if (button.dataset.pressed || page.dataset.pressed) page.requestSubmit();
}

function control(page: HTMLFormElement, name: string) {
  const found = page.elements.namedItem(name);
  return found instanceof HTMLInputElement ||
    found instanceof HTMLTextAreaElement ||
    found instanceof HTMLSelectElement
    ? found
    : null;
}

function read(page: HTMLFormElement, name: string): string {
  return control(page, name)?.value ?? "";
}

/** Fills in what was typed before a reload, and the topic that a link asks for. */
function putDraft(page: HTMLFormElement): void {
  const draft = new URLSearchParams(tabMemory.read(DRAFT) ?? "");
  for (const name of KEPT) {
    const field = control(page, name);
    const kept = draft.get(name);
    if (field && kept && (field.value === "" || name === "topic")) field.value = kept;
  }
  const wanted = contactTopic.safeParse(window.location.hash.slice(1));
  const topic = control(page, "topic");
  if (wanted.success && topic) topic.value = wanted.data;
}

/** Shows what is wrong with a field; an empty text for nothing. */
function showError(page: HTMLFormElement, name: FieldName, text: string): void {
  const place = document.getElementById(`${name}-error`);
  if (place) place.textContent = text;
  control(page, name)?.setAttribute("aria-invalid", String(text !== ""));
}

/** The request that the form makes; null where a field is wrong, which is shown and takes the focus. */
function checked(page: HTMLFormElement, requestId: string) {
  const request = contactRequest.safeParse({
    request_id: requestId,
    topic: read(page, "topic"),
    name: read(page, "name"),
    email: read(page, "email"),
    message: read(page, "message"),
    website: read(page, "website"),
  });
  const wrong = new Set(request.error?.issues.map(({ path }) => String(path[0])));
  for (const name of FIELDS) showError(page, name, wrong.has(name) ? copy.errors[name] : "");
  if (request.success) return request.data;
  control(page, FIELDS.find((name) => wrong.has(name)) ?? "name")?.focus();
  return null;
}

/** Sends a message; why it did not leave, or null. */
async function sendOut(body: object): Promise<string | null> {
  try {
    const response = await fetch(await functionAddress("contact"), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.ok) return null;
    const wait = retryAfter(response.headers.get("retry-after"), Date.now());
    return response.status === 429 && wait !== null
      ? copy.failures.later(Math.ceil(wait / 60))
      : copy.failures.other;
  } catch {
    return copy.failures.network;
  }
}
