import { presenceCopy as copy } from "./presence.copy.ts";
import { provePresence } from "./prove-presence.ts";

const NOTE_MS = 8000;

/** Note for an answer; a proof that could not be checked is not called wrong. */
function noteOf(answer: Awaited<ReturnType<typeof provePresence>>): string {
  if (answer.ok) return copy.scanned;
  const isWrong = answer.failure.kind === "refused" && answer.failure.code === "presence_wrong";
  return isWrong ? copy.notScanned : copy.notSent;
}

/**
 * Proof in the address that the till's screen gave (`#p=123456`): exchanged at once, and gone from
 * the address.
 */
export async function proveByScan(campaignId: string): Promise<void> {
  const proof = new URLSearchParams(location.hash.slice(1)).get("p") ?? "";
  history.replaceState(history.state, "", location.pathname + location.search);
  const answer = await provePresence(campaignId, proof);
  const note = Object.assign(document.createElement("p"), {
    className:
      "fixed inset-x-4 top-4 z-10 mx-auto max-w-md rounded-field bg-ink px-4 py-3 text-center font-bold text-surface shadow-card",
    role: "status",
  });
  document.body.append(note);
  // Filled once it is in the document, so that it is heard.
  note.textContent = noteOf(answer);
  setTimeout(() => note.remove(), NOTE_MS);
}
