import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { AppError, NETWORK, SECOND_FACTOR_REQUIRED, UNAUTHENTICATED } from "./app-error.ts";
import type { Auth } from "./auth.ts";

const FIVE_MINUTES = 5 * 60_000;
const MAX_RETRIES = 2;

/** Makes the query client, which tells `auth` when the platform refuses the session. */
export function createQueryClient(auth: Pick<Auth, "expire" | "demandSecondFactor">): QueryClient {
  const onError = (error: Error) => {
    if (!(error instanceof AppError)) return;
    if (error.code === UNAUTHENTICATED) void auth.expire();
    if (error.code === SECOND_FACTOR_REQUIRED) void auth.demandSecondFactor();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: FIVE_MINUTES,
        refetchOnWindowFocus: false,
        // A lost network is said at once instead of waiting in silence for its return.
        networkMode: "always",
        retry: (failures, error) =>
          failures < MAX_RETRIES && error instanceof AppError && error.code === NETWORK,
      },
      mutations: { networkMode: "always" },
    },
  });
}
