import { errorMessage } from "../../lib/app-error.ts";
import { REFUSED, UNAVAILABLE } from "../../lib/push/push-device.ts";
import { pushCopy as copy } from "./push.copy.ts";

/** The user has as many devices as allowed. */
const LIMIT = "TV200";

/** Why a device was not turned on or off. */
export function pushFailure(error: unknown): string {
  return errorMessage(error, {
    [REFUSED]: copy.refused,
    [UNAVAILABLE]: copy.unavailable,
    [LIMIT]: copy.limit,
  });
}
