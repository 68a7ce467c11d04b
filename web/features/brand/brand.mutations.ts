import { useMutation, useQueryClient } from "@tanstack/react-query";
import { UPLOAD_BUCKET } from "#domain/schemas/brand-settings.ts";
import { newId } from "#domain/text/new-id.ts";
import { useApp } from "../../lib/app-context.ts";
import { AppError, dataError, functionError } from "../../lib/app-error.ts";
import { uploadFile } from "../../lib/upload.ts";
import { BRAND } from "./brand.queries.ts";

/** Timeout of encoding an uploaded logo. */
const TIMEOUT_MS = 60_000;

/** Makes a picture the organisation's logo; null takes it away. */
export function useSetLogo(orgId: string) {
  const app = useApp();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (file: File | null) => {
      const upload = file && newId();
      const refusal = file
        ? await uploadFile(app, { bucket: UPLOAD_BUCKET, path: `${orgId}/${upload}` }, file).catch(
            refusedBy,
          )
        : undefined;
      const { error } = await app.supabase.functions.invoke("brand_logo", {
        body: { org_id: orgId, upload },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const reason = error && (await functionError(error));
      // No picture was there to be read.
      if (reason) throw refusal && reason.code === "logo_unreadable" ? refusal : reason;
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [BRAND] }),
  });
}

/** Refusal of the storage, which gives no reason: the function that takes the picture does. */
function refusedBy(error: unknown): AppError {
  if (error instanceof AppError && error.code === "forbidden") return error;
  throw error;
}

/** Saves the colour; null takes the product's own again. */
export function useSaveColor(orgId: string) {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (color: string | null) => {
      const answer = await supabase.rpc("save_brand_color", {
        p_org_id: orgId,
        ...(color !== null && { p_color: color }),
      });
      if (answer.error) throw dataError(answer);
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [BRAND] }),
  });
}
