import { Link } from "@tanstack/react-router";
import { useMay } from "../../lib/use-may.ts";
import { Button } from "../../ui/button.tsx";
import { buttonClass } from "../../ui/button-class.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { customersCopy } from "./customers.copy.ts";

const copy = customersCopy.empty;

/** A list without customers: none match, or there are none yet. */
export function CustomersEmpty({
  isFiltered,
  onClear,
}: {
  isFiltered: boolean;
  onClear: () => void;
}) {
  const mayFollow = useMay().mayOpen("/campaigns");
  if (isFiltered) {
    return (
      <EmptyState title={copy.noMatch} text={copy.noMatchText}>
        <Button variant="secondary" onClick={onClear}>
          {copy.clear}
        </Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={copy.title} text={copy.text}>
      {mayFollow && (
        <Link to="/campaigns" className={buttonClass()}>
          {copy.campaigns}
        </Link>
      )}
    </EmptyState>
  );
}
