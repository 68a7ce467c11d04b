import { useMutation } from "@tanstack/react-query";
import { useApp } from "../../lib/app-context.ts";
import { AppError, functionError, NETWORK } from "../../lib/app-error.ts";
import { download } from "../../lib/download.ts";
import { formatFileDay } from "../../lib/format.ts";
import { settingsCopy } from "./settings.copy.ts";

/** Years of data take their time; without a bound, a lost line would never be told. */
const LONGEST_MS = 15 * 60_000;

/** Downloads everything of an organisation as one file. */
export function useTakeAlong(orgId: string) {
  const { supabase } = useApp();
  return useMutation({
    mutationFn: async () => {
      const { data, error } = await supabase.functions.invoke<Blob>("export-organization", {
        body: { org_id: orgId },
        signal: AbortSignal.timeout(LONGEST_MS),
      });
      if (error) throw await functionError(error);
      if (data === null) throw new AppError(NETWORK);
      const name = settingsCopy.data.file(formatFileDay(new Date()));
      download(new Blob([data], { type: "application/zip" }), name);
    },
  });
}
