import { useEffect, useEffectEvent, useState } from "react";
import {
  type RulesOperator,
  type RulesPage,
  rulesIn,
  rulesOperator,
} from "#domain/schemas/campaign-rules.ts";
import { customerCopy } from "../customer.copy.ts";
import { shellCopy } from "../shell/page-shell.copy.ts";
import { NotFoundPage } from "../unavailable/not-found-page.tsx";
import { fetchRules } from "./fetch-rules.ts";
import { RulesView } from "./rules-view.tsx";

/** Operator of the service, as `npm run site` has written it into the document. */
function readOperator(): RulesOperator {
  return rulesOperator.parse(JSON.parse(document.documentElement.dataset.operator ?? "{}"));
}

type StaticRulesProps = {
  slug: string;
  version: string | null;
  /** Callback with the owner of the page, once known; null without one. */
  onPage: (page: RulesPage | null) => void;
};

/** The rules of a draw in a static deployment, where no server has rendered them. */
export function StaticRules({ slug, version, onPage }: StaticRulesProps) {
  const [page, setPage] = useState<RulesPage | "loading" | "missing" | "offline">("loading");

  const [operator] = useState(readOperator);
  const tell = useEffectEvent(onPage);

  useEffect(() => {
    fetchRules(slug, version).then(
      (found) => {
        setPage(found ? rulesIn(found, shellCopy.language) : "missing");
        tell(found);
      },
      () => setPage("offline"),
    );
  }, [slug, version]);

  if (page === "missing") return <NotFoundPage data={null} />;
  if (page === "loading") return <p className="p-4">{customerCopy.loading}</p>;
  if (page === "offline") return <p className="p-4">{customerCopy.offline}</p>;
  return <RulesView page={page} operator={operator} />;
}
