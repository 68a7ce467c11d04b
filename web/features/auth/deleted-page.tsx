import { CircleCheck } from "lucide-react";
import { usePageTitle } from "../../lib/page-title.ts";
import { buttonClass } from "../../ui/button-class.ts";
import { AuthLayout } from "./auth-layout.tsx";
import { deletedCopy as copy } from "./deleted.copy.ts";

/** `/auth/deleted`: the account is gone. */
export function DeletedPage() {
  usePageTitle(copy.title);
  return (
    <AuthLayout title={copy.title}>
      <p role="status" className="flex gap-3 text-lg text-pretty text-muted">
        <CircleCheck aria-hidden="true" className="mt-0.5 size-7 shrink-0 text-mint" />
        {copy.text}
      </p>
      <a href="/" className={`${buttonClass({ size: "lg" })} w-full`}>
        {copy.home}
      </a>
    </AuthLayout>
  );
}
