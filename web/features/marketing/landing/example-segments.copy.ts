import type { WheelSegment } from "../../../ui/wheel/wheel-face.tsx";

/** The example of the specification (section 9), for a site without a demo shop. */
export const exampleSegments: readonly WheelSegment[] = [
  { id: "cafe", label: "Café offert", color: "#8B5CF6" },
  { id: "remise", label: "Réduction 10%", color: "#10B981" },
  { id: "dessert", label: "Dessert offert", color: "#F59E0B" },
  { id: "perdu", label: "Pas de chance", color: "#6B7280" },
];
