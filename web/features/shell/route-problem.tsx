import { useMatch, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { errorMessage } from "../../lib/app-error.ts";
import { isMissingPart } from "../../lib/missing-parts.ts";
import { ErrorPage } from "../../ui/states/error-page.tsx";
import { LoadProblem } from "../../ui/states/load-problem.tsx";

/** Routes for signed-in users, and those of them that have the navigation around them. */
const MEMBER = "/_member/";
const WITHIN = "/_member/_shell/";

/**
 * Error in a screen's place when it or its data does not come: for all routes
 * (`defaultErrorComponent`), so that the layout around a screen stays.
 */
export function RouteProblem({ error }: { error: unknown }) {
  const routeId = useMatch({ strict: false, select: (match) => String(match.routeId) });
  const router = useRouter();
  const [isRetrying, setIsRetrying] = useState(false);
  if (isMissingPart(error) || !routeId.startsWith(MEMBER)) {
    return <ErrorPage error={error} isWithin={routeId.startsWith(WITHIN)} />;
  }
  const retry = async () => {
    setIsRetrying(true);
    await router.invalidate({ sync: true });
    setIsRetrying(false);
  };
  return <LoadProblem text={errorMessage(error)} onRetry={retry} isRetrying={isRetrying} />;
}
