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

function startForm(page: HTMLFormElement, thanks: HTMLElement): void {
  const failure = page.querySelector<HTMLElement>("[data-failure]");
  const button = page.querySelector("button");
  if (!failure || !button) return;
  // The same until it has arrived: what is sent twice arrives once.
  let requestId = newId();
  let isSending = false;

  const control = (name: string) => {
    const found = page.elements.namedItem(name);
    return found instanceof HTMLInputElement ||
      found instanceof HTMLTextAreaElement ||
      found instanceof HTMLSelectElement
      ? found
      : null;
  };
  const read = (name: string) => control(name)?.value ?? "";

  const draft = new URLSearchParams(tabMemory.read(DRAFT) ?? "");
  for (const name of KEPT) {
    const field = control(name);
    const kept = draft.get(name);
    if (field && kept && (field.value === "" || name === "topic")) field.value = kept;
  }
  const wanted = contactTopic.safeParse(window.location.hash.slice(1));
  const topic = control("topic");
  if (wanted.success && topic) topic.value = wanted.data;

  const showError = (name: (typeof FIELDS)[number], isWrong: boolean) => {
    const place = document.getElementById(`${name}-error`);
    if (place) place.textContent = isWrong ? copy.errors[name] : "";
    control(name)?.setAttribute("aria-invalid", String(isWrong));
  };

  page.addEventListener("input", ({ target }) => {
    const typed = new URLSearchParams(KEPT.map((name) => [name, read(name)]));
    tabMemory.write(DRAFT, typed.toString());
    // Another text is another message.
    if (!isSending) requestId = newId();
    const name = FIELDS.find((field) => field === (target as Element | null)?.id);
    if (name) showError(name, false);
  });

  const send = async () => {
    const wrong = new Set<string>();
    const request = contactRequest.safeParse({
      request_id: requestId,
      topic: read("topic"),
      name: read("name"),
      email: read("email"),
      message: read("message"),
      website: read("website"),
    });
    for (const issue of request.error?.issues ?? []) wrong.add(String(issue.path[0]));
    for (const name of FIELDS) showError(name, wrong.has(name));
    failure.textContent = "";
    if (!request.success) {
      control(FIELDS.find((name) => wrong.has(name)) ?? "name")?.focus();
      return;
    }
    isSending = true;
    button.ariaDisabled = "true";
    button.textContent = copy.sending;
    failure.textContent = (await sendOut(request.data)) ?? "";
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
    control("message")?.focus();
  });
  page.removeAttribute("data-waits");
  if (button.dataset.pressed || page.dataset.pressed) page.requestSubmit();
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
