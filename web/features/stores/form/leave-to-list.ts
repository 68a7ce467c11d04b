import { useNavigate } from "@tanstack/react-router";
import { useWayBack } from "../../../lib/lists/visited.ts";

/** Goes back to the list once a form is saved: nothing is lost, so nothing is asked. */
export function useLeaveToList(): () => void {
  const navigate = useNavigate();
  const goBack = useWayBack("/stores");
  return () => {
    if (!goBack({ ignoreBlocker: true })) void navigate({ to: "/stores", ignoreBlocker: true });
  };
}
