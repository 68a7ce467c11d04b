import { createFileRoute } from "@tanstack/react-router";
import { RedeemPage } from "../../features/redeem/redeem-page.tsx";

export const Route = createFileRoute("/_member/encaisser")({
  /** `camera=1` opens at the camera. */
  validateSearch: (search): { camera?: 1 } => (search.camera === 1 ? { camera: 1 } : {}),
  component: RedeemPage,
});
