import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { AppError, NETWORK, UNAUTHENTICATED } from "./app-error.ts";

const FIVE_MINUTES = 5 * 60_000;
const MAX_RETRIES = 2;

/** Makes the query client; `onUnauthenticated` runs when the platform refuses the session. */
export function createQueryClient(onUnauthenticated: () => void): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof AppError && error.code === UNAUTHENTICATED) onUnauthenticated();
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
