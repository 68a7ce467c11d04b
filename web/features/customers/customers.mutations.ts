import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type CustomerDetail, customerSaved } from "#domain/schemas/customers.ts";
import { type PointsReward, pointsSpent } from "#domain/schemas/points.ts";
import { useApp } from "../../lib/app-context.ts";
import { dataError } from "../../lib/app-error.ts";
import { download } from "../../lib/download.ts";
import { formatFileDay } from "../../lib/format.ts";
import { restoreCode } from "../../lib/restore-code.ts";
import { CUSTOMERS } from "./customers.queries.ts";
import { customerDetailCopy } from "./profile/customer-detail.copy.ts";

/** Arguments of the SQL function `save_customer`, but who and which version. */
export type CustomerWrite = {
  p_first_name: string;
  p_last_name: string;
  p_email: string;
  p_phone: string;
  p_consent_marketing: boolean;
  p_note: string;
};

/** Saves a version of a customer's form; a refusal by the rules is an answer, not an error. */
export function useSaveCustomer({ id, version }: Pick<CustomerDetail, "id" | "version">) {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (write: CustomerWrite) => {
      const answer = await supabase.rpc("save_customer", {
        p_id: id,
        p_version: version,
        ...write,
      });
      if (answer.error) throw dataError(answer);
      return customerSaved.parse(answer.data);
    },
    onSuccess: ({ outcome }) => {
      if (outcome !== "saved") return;
      // Their name is on the dashboard, too, and with their reviews.
      for (const key of ["dashboard", "reviews"]) {
        void queryClient.invalidateQueries({ queryKey: [key] });
      }
      return queryClient.invalidateQueries({ queryKey: [CUSTOMERS] });
    },
  });
}

/** Withdraws the consent to marketing of customers; answers how many had given it. */
export function useWithdrawConsents(orgId: string) {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (ids: string[]) => {
      const answer = await supabase.rpc("withdraw_consents", { p_org_id: orgId, p_ids: ids });
      if (answer.error) throw dataError(answer);
      return answer.data;
    },
    // After a refusal too: a customer may be gone.
    onSettled: () => queryClient.invalidateQueries({ queryKey: [CUSTOMERS] }),
  });
}

/** Downloads everything that is kept of a person, for them to have (right of access). */
export function useCopyCustomerData(id: string) {
  const { supabase } = useApp();
  return useMutation({
    mutationFn: async () => {
      const answer = await supabase.rpc("copy_customer_data", { p_id: id });
      if (answer.error) throw dataError(answer);
      const text = JSON.stringify(answer.data, null, 2);
      const name = customerDetailCopy.copy.file(formatFileDay(new Date()));
      download(new Blob([text], { type: "application/json" }), name);
    },
  });
}

/** Forgets a person. */
export function useEraseCustomer() {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (id: string) => {
      const answer = await supabase.rpc("erase_customer", { p_id: id });
      if (answer.error) throw dataError(answer);
    },
    // Their name was in other lists, too, and the navigation counts the reviews that the erasure closed.
    onSuccess: (_, id) => {
      queryClient.removeQueries({ queryKey: [CUSTOMERS, "detail", id] });
      return queryClient.invalidateQueries({
        predicate: ({ queryKey }) => queryKey[1] !== "detail",
      });
    },
  });
}

type PointsRequest = { requestId: string; reward: PointsReward; storeId: string };

/** Spends a customer's points on a reward that is handed over at a store; a refusal by the rules is an answer. */
export function useSpendPoints(customerId: string) {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ requestId, reward, storeId }: PointsRequest) => {
      const answer = await supabase.rpc("spend_points_for", {
        p_customer_id: customerId,
        p_points_reward_id: reward.id,
        p_cost: reward.cost,
        p_store_id: storeId,
        p_request_id: requestId,
      });
      if (answer.error) throw dataError(answer);
      return pointsSpent.parse(answer.data);
    },
    // After a refusal too: what was shown is no longer so.
    onSettled: () => queryClient.invalidateQueries({ queryKey: [CUSTOMERS] }),
  });
}

/** Reverses such a spend: the points return to the customer. */
export function useReturnPoints() {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (spendId: string) => restoreCode(supabase, spendId),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [CUSTOMERS] }),
  });
}
