import { useMutation } from "@tanstack/react-query";
import { codeLookup, redeemResponse } from "#domain/schemas/journey.ts";
import { newId } from "#domain/text/new-id.ts";
import { useApp } from "../../lib/app-context.ts";
import { dataError, functionError, TOO_MANY } from "../../lib/app-error.ts";
import { tabMemory } from "../../lib/device-memory.ts";
import { restoreCode } from "../../lib/restore-code.ts";
import { type Answer, lookedUp, redeemed, refused } from "./till/answer.ts";

type App = ReturnType<typeof useApp>;

/** Asks what a code is. A mutation, though it changes nothing: every asking must reach the server. */
export function useLookupCode() {
  const { supabase } = useApp();
  return useMutation({
    mutationFn: async ({ code, storeId }: CodeAtStore): Promise<Answer> => {
      const answer = await supabase.rpc("lookup_code", { p_code: code, p_store_id: storeId });
      if (answer.error) throw dataError(answer);
      const found = lookedUp(codeLookup.parse(answer.data));
      // Used, and perhaps by our own request, whose answer never came: asked again, it has one.
      const isPerhapsOurs =
        found.state === "used" && unansweredRequest({ code: found.code, storeId }) !== null;
      return isPerhapsOurs ? redeem(supabase, found, storeId) : found;
    },
  });
}

/** Uses a code. Only the server's word counts: nothing is shown as done before it. */
export function useRedeemCode() {
  const { supabase } = useApp();
  return useMutation({
    mutationFn: ({ asked, storeId }: { asked: Answer; storeId: string }) =>
      redeem(supabase, asked, storeId),
  });
}

/** The answer to a redemption: that it is made, or why not. Throws what says nothing about the code. */
async function redeem(supabase: App["supabase"], before: Answer, storeId: string): Promise<Answer> {
  const asked = { code: before.code, storeId };
  const { data, error } = await supabase.functions.invoke("redeem", {
    body: { code: asked.code, store_id: storeId, request_id: requestFor(asked) },
  });
  if (!error) {
    const response = redeemResponse.parse(data);
    forgetRequest(asked);
    return redeemed(response, before);
  }
  const failure = await functionError(error);
  const refusal = refused(failure, before);
  if (!refusal) throw failure;
  // A rate-limited cashier does not know the outcome of an earlier try yet.
  if (failure.code !== TOO_MANY) forgetRequest(asked);
  return refusal;
}

/** Undoes a redemption. */
export function useUndoRedemption() {
  const { supabase } = useApp();
  return useMutation({ mutationFn: (id: string) => restoreCode(supabase, id) });
}

/** A code at the till of a store. */
type CodeAtStore = { code: string; storeId: string };

/** Where the tab cannot keep anything, the page does. */
const sent = new Map<string, string>();

function nameOf({ code, storeId }: CodeAtStore): string {
  return `tournavis-till-request ${storeId} ${code}`;
}

/** Identifier of a redemption that was sent and not answered yet, a reload ago perhaps. */
function unansweredRequest(asked: CodeAtStore): string | null {
  const name = nameOf(asked);
  return tabMemory.read(name) ?? sent.get(name) ?? null;
}

/** Identifier of a redemption: the same until it is answered, so that it is made once and answered once. */
function requestFor(asked: CodeAtStore): string {
  const id = unansweredRequest(asked) ?? newId();
  const name = nameOf(asked);
  sent.set(name, id);
  tabMemory.write(name, id);
  return id;
}

/** A redemption was answered. */
function forgetRequest(asked: CodeAtStore): void {
  const name = nameOf(asked);
  sent.delete(name);
  tabMemory.write(name, "");
}
