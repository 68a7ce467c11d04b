import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import { AppError } from "../app-error.ts";

/** A list as a screen shows it. */
export type KeptList<Data> = Pick<
  UseQueryResult<Data>,
  "error" | "isError" | "isFetching" | "isRefetching" | "refetch"
> & {
  data: Data | undefined;
  /** The requested rows could not be loaded: `data` has the earlier ones. */
  isKept: boolean;
  /** `data` is not, or not yet, what was asked for. */
  isStale: boolean;
};

/**
 * A list whose next page, search or filter may fail: what was shown last stays until that is there. Nothing is kept of
 * what one may not read any more.
 */
export function useKeptList<Data>(query: UseQueryResult<Data>): KeptList<Data> {
  const { data, error, isError, isFetching, isRefetching, isPlaceholderData, refetch } = query;
  const [last, setLast] = useState(data);
  if (data !== undefined && data !== last) setLast(data);
  const isForbidden = error instanceof AppError && error.status === 403;
  const isKept = isError && data === undefined && last !== undefined && !isForbidden;
  return {
    data: isKept ? last : data,
    error,
    isError,
    isFetching,
    isRefetching,
    refetch,
    isKept,
    isStale: isKept || isPlaceholderData,
  };
}
