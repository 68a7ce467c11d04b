import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { errorMessage } from "../../lib/app-error.ts";
import { LoadProblem } from "../../ui/load-problem.tsx";

/** What stands in a screen's place when its data does not come (a route's `errorComponent`). */
export function RouteProblem({ error }: { error: unknown }) {
  const router = useRouter();
  const [isRetrying, setIsRetrying] = useState(false);
  const retry = async () => {
    setIsRetrying(true);
    await router.invalidate({ sync: true });
    setIsRetrying(false);
  };
  return <LoadProblem text={errorMessage(error)} onRetry={retry} isRetrying={isRetrying} />;
}
