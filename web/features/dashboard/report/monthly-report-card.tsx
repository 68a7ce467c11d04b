import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useApp } from "../../../lib/app-context.ts";
import { AppError, errorMessage, functionError, NETWORK } from "../../../lib/app-error.ts";
import { download } from "../../../lib/download.ts";
import { useMay } from "../../../lib/use-may.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { SelectField } from "../../../ui/forms/select-field.tsx";
import { TitledCard } from "../../../ui/titled-card.tsx";
import { dashboardCopy } from "../dashboard.copy.ts";
import { nextMonth, pastMonths } from "./past-months.ts";

const copy = dashboardCopy.report;

/** Without a timeout, a lost connection would never be reported. */
const TIMEOUT_MS = 60_000;

/** Fetches the report of a month as a PDF and hands it to the browser. */
function useReport(orgId: string) {
  const { supabase } = useApp();
  return useMutation({
    mutationFn: async (month: string) => {
      const { data, error } = await supabase.functions.invoke<unknown>("monthly-report", {
        body: { org_id: orgId, month },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (error) throw await functionError(error);
      if (!(data instanceof Blob)) throw new AppError(NETWORK);
      download(data, copy.file(month.slice(0, 7)));
    },
  });
}

type MonthlyReportCardProps = { orgId: string; today: string; firstDay: string | null | undefined };

/** The report of any of the last 12 months with figures, as a file; before the first, the day from which it can be had. */
export function MonthlyReportCard({ orgId, today, firstDay }: MonthlyReportCardProps) {
  const months = pastMonths(today, firstDay);
  const [chosen, setChosen] = useState<string | null>(null);
  const month = chosen ?? months[0]?.day ?? "";
  const report = useReport(orgId);
  const maySet = useMay().mayOpen("/settings");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!report.isPending) report.mutate(month);
  };
  return (
    <div className="print:hidden">
      <TitledCard title={copy.title} text={copy.text} folds>
        {months.length === 0 ? (
          <p>{copy.first(nextMonth(today))}</p>
        ) : (
          <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
            <SelectField
              label={copy.month}
              value={month}
              onChange={(day) => {
                setChosen(day);
                if (!report.isPending) report.reset();
              }}
            >
              {months.map(({ day, name }) => (
                <option key={day} value={day}>
                  {name}
                </option>
              ))}
            </SelectField>
            <Button type="submit" variant="secondary" busy={report.isPending}>
              {!report.isPending && <Download aria-hidden="true" className="size-5" />}
              {copy.download}
            </Button>
          </form>
        )}
        {report.isError && <Alert>{errorMessage(report.error, { unknown: copy.failed })}</Alert>}
        {maySet && (
          <p className="-mt-2 text-sm">
            <Link
              to="/settings"
              search={{ section: "notifications" }}
              className="inline-flex min-h-11 items-center font-semibold underline underline-offset-4"
            >
              {copy.settings}
            </Link>
          </p>
        )}
      </TitledCard>
    </div>
  );
}
