import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Notifications, Settings } from "#domain/schemas/settings.ts";
import { useApp } from "../../lib/app-context.ts";
import { AppError, dataError } from "../../lib/app-error.ts";
import { SETTINGS } from "./settings.queries.ts";

/** Another user saved a newer version, or the reader may no longer write. */
export const CONFLICT = "organization_conflict";

type Organization = Settings["organization"];

/** Saves a version of the organisation's name and slug; answers the version that they have now. */
export function useSaveOrganization() {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, version, name, slug }: Omit<Organization, "created_at">) => {
      const answer = await supabase
        .from("organizations")
        .update({ name, slug })
        .eq("id", id)
        .eq("version", version)
        .select("id, name, slug, version");
      if (answer.error) throw dataError(answer);
      const [saved] = answer.data;
      if (!saved) throw new AppError(CONFLICT);
      return saved;
    },
    // Other screens show the name.
    onSuccess: () =>
      Promise.all(
        [SETTINGS, "workspace"].map((key) => queryClient.invalidateQueries({ queryKey: [key] })),
      ),
  });
}

/** Choices of the member. */
export type NotificationChoices = Pick<
  Notifications,
  "email" | "sms" | "low_ratings" | "summary" | "monthly_report"
>;

/** Saves the member's notification preferences. */
export function useSaveNotifications(orgId: string) {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (choices: NotificationChoices) => {
      const answer = await supabase.rpc("save_notifications", {
        p_org_id: orgId,
        p_email: choices.email,
        p_sms: choices.sms,
        p_low_ratings: choices.low_ratings,
        p_summary: choices.summary,
        p_monthly_report: choices.monthly_report,
      });
      if (answer.error) throw dataError(answer);
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [SETTINGS] }),
  });
}
