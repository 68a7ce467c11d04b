import { constants, setPriority } from "node:os";
import { z } from "zod";
import { LOGO_TYPES } from "#domain/schemas/brand-settings.ts";
import { encodeLogo } from "../../supabase/functions/_shared/images/encode-logo.ts";

/** One picture, in a process of its own, which ends with it. */

const task = z.object({ bytes: z.instanceof(Uint8Array), type: z.enum(LOGO_TYPES) });

// Customers' phones come first.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

process.once("message", async (message) => {
  const { bytes, type } = task.parse(message);
  const logo = await encodeLogo(new Uint8Array(bytes), type);
  process.send?.(logo, () => process.disconnect());
});
// The client has disconnected.
process.once("disconnect", () => process.exit());
