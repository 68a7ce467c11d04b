import { useMutation } from "@tanstack/react-query";
import type { ExportRequest } from "#domain/schemas/customers.ts";
import { listFileName } from "#domain/text/list-file-name.ts";
import { useApp } from "../app-context.ts";
import { AppError, functionError, NETWORK } from "../app-error.ts";
import { download } from "../download.ts";
import { formatFileDay } from "../format.ts";

/** A large list takes its time; without a timeout, a lost connection would never be reported. */
const TIMEOUT_MS = 5 * 60_000;

/** Exports a list as a file for spreadsheets (`exports-csv`), named after the list, what it is of, and the day. */
export function useCsvExport(of: string) {
  const { supabase } = useApp();
  return useMutation({
    mutationFn: async (body: ExportRequest) => {
      const { data, error } = await supabase.functions.invoke<string | Blob>("exports-csv", {
        body,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (error) throw await functionError(error);
      if (data === null) throw new AppError(NETWORK);
      // Reading the answer as a text took the mark away by which spreadsheets know UTF-8.
      const parts = typeof data === "string" ? [`\uFEFF${data.replace(/^\uFEFF/, "")}`] : [data];
      const day = formatFileDay(new Date());
      download(
        new Blob(parts, { type: "text/csv;charset=utf-8" }),
        listFileName(body.type, of, day),
      );
    },
  });
}
