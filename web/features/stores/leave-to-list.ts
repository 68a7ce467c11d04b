import { useNavigate } from "@tanstack/react-router";

/** Goes back to the list once a form is saved: nothing is lost, so nothing is asked. */
export function useLeaveToList(): () => void {
  const navigate = useNavigate();
  return () => void navigate({ to: "/stores", ignoreBlocker: true });
}
