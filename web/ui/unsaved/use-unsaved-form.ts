import type { ReactNode } from "react";
import type { FieldValues, UseFormReturn } from "react-hook-form";
import { useUnsavedInput } from "./use-unsaved-input.tsx";

/** The same for a form of React Hook Form (see `useUnsavedInput`). */
export function useUnsavedForm<T extends FieldValues>(
  form: UseFormReturn<T>,
  isUnsaved: boolean,
  name?: string,
): ReactNode {
  return useUnsavedInput<T>({
    ...(name !== undefined && { name }),
    isUnsaved,
    saved: () => ({ ...form.formState.defaultValues }),
    typed: () => form.getValues(),
    put: (values) => form.reset(values, { keepDefaultValues: true }),
    drop: () => form.reset(),
  });
}
