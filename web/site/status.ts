import { type ServiceStatus, serviceStatus } from "#domain/schemas/service-status.ts";
import { statusCopy as copy } from "../features/service/status.copy.ts";
import { functionAddress } from "./functions-origin.ts";
import "./status.css";

/** Pause between two looks, in milliseconds. */
const PAUSE_MS = 30_000;

/** Timeout of a response. */
const TIMEOUT_MS = 10_000;

const hour = new Intl.DateTimeFormat("fr", { timeStyle: "medium" });
const day = new Intl.DateTimeFormat("fr", { dateStyle: "medium", timeStyle: "short" });

const page = document.querySelector<HTMLElement>("[data-status]");
if (page) void watch(page);

async function watch(shown: HTMLElement): Promise<void> {
  const look = async () => show(shown, await ask());
  await look();
  // A tab in the background is not visible.
  const lookIfSeen = () => {
    if (document.visibilityState === "visible") void look();
  };
  setInterval(lookIfSeen, PAUSE_MS);
  document.addEventListener("visibilitychange", lookIfSeen);
}

/** State that the service reports; null without an answer. */
async function ask(): Promise<ServiceStatus | null> {
  try {
    const response = await fetch(await functionAddress("status"), {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return serviceStatus.parse(await response.json());
  } catch {
    return null;
  }
}

function show(shown: HTMLElement, status: ServiceStatus | null): void {
  const write = (selector: string, text: string, within: ParentNode = shown) => {
    const place = within.querySelector(selector);
    // Said again by screen readers only where it is something else.
    if (place && place.textContent !== text) place.textContent = text;
  };
  shown.dataset.state = status?.state ?? "down";
  write("[data-overall]", status ? copy.overall[status.state] : copy.silent);
  write("[data-detail]", status ? "" : copy.silentText);
  write(
    "[data-checked]",
    copy.checked(hour.format(status ? new Date(status.checked_at) : new Date())),
  );
  for (const row of shown.querySelectorAll<HTMLElement>("[data-part]")) {
    const part = status?.parts.find(({ name }) => name === row.dataset.part);
    row.dataset.state = part?.state ?? "unknown";
    write("[data-state-text]", copy.states[part?.state ?? "unknown"], row);
    write("[data-figure]", part ? figureOf(part) : "", row);
  }
}

function figureOf({ waiting_s, last_run_at }: ServiceStatus["parts"][number]): string {
  if (waiting_s !== undefined) return copy.waiting(Math.floor(waiting_s / 60));
  return last_run_at ? copy.lastRun(day.format(new Date(last_run_at))) : "";
}
