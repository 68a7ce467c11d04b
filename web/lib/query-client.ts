import { MutationCache, matchQuery, QueryCache, QueryClient } from "@tanstack/react-query";
import { AppError, NETWORK, SECOND_FACTOR_REQUIRED, UNAUTHENTICATED } from "./app-error.ts";
import type { Auth } from "./auth/auth.ts";
import { renewRelease } from "./missing-parts.ts";

const FIVE_MINUTES = 5 * 60_000;
const MAX_RETRIES = 2;

/**
 * Whether a failure may come of rights that were taken away: a refusal, or a change that met no row, which is how a
 * policy refuses one.
 */
function tellsOfRights({ code, status }: AppError): boolean {
  return status === 403 || (status === 0 && code !== NETWORK);
}

/**
 * A client whose changes reach the first loading of a query as well: what was asked before a change may answer with
 * what was before it, and TanStack Query asks again only where it has an answer already. Who waits for lists that a change
 * renews waits for no second try: without a network, a failed change is said at once.
 */
class FreshQueryClient extends QueryClient {
  override invalidateQueries: QueryClient["invalidateQueries"] = (filters, options) => {
    const begun = { ...filters, type: "active", fetchStatus: "fetching" } as const;
    for (const query of this.getQueryCache().findAll(begun)) {
      if (query.state.data === undefined) void query.cancel({ silent: true });
    }
    let stop = () => {};
    const isLost = new Promise<void>((resolve) => {
      stop = this.getQueryCache().subscribe((event) => {
        const isFailure = event.type === "updated" && event.action.type === "failed";
        if (isFailure && matchQuery(filters ?? {}, event.query)) resolve();
      });
    });
    return Promise.race([super.invalidateQueries(filters, options), isLost]).finally(stop);
  };
}

/**
 * Makes the query client, which notifies `auth` when the platform refuses the session, and refetches the permissions when
 * it refuses something else: the screen then offers that no more.
 */
export function createQueryClient(auth: Pick<Auth, "expire" | "requireSecondFactor">): QueryClient {
  const onError = (error: Error) => {
    if (!(error instanceof AppError)) return;
    if (error.code === UNAUTHENTICATED) void auth.expire();
    if (error.code === SECOND_FACTOR_REQUIRED) void auth.requireSecondFactor();
  };
  const renew = (error: Error) => {
    if (error instanceof AppError && tellsOfRights(error)) {
      void client.invalidateQueries({ queryKey: ["workspace"] });
    }
  };
  const client = new FreshQueryClient({
    queryCache: new QueryCache({
      onError: (error, { queryKey }) => {
        onError(error);
        // The failed request may need a newer part of the application first.
        void renewRelease(error);
        // A refused workspace does not ask for permissions again.
        if (queryKey[0] !== "workspace") renew(error);
      },
    }),
    mutationCache: new MutationCache({
      onError: (error) => {
        onError(error);
        renew(error);
      },
    }),
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
  return client;
}
