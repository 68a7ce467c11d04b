import { ExternalLink } from "lucide-react";
import { settingsCopy } from "../settings.copy.ts";

/** The way to what the public sees of the organisation. */
export function PublicPageLink({ slug }: { slug: string }) {
  return (
    <a
      href={`/org/${slug}`}
      target="_blank"
      rel="noopener"
      className="inline-flex min-h-11 items-center gap-2 font-semibold underline underline-offset-4"
    >
      {settingsCopy.organization.see}
      <ExternalLink aria-hidden="true" className="size-4" />
    </a>
  );
}
