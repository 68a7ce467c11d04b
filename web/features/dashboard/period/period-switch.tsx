import { type FormEvent, useId, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { Choice } from "../../../ui/forms/choice.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import { dashboardCopy } from "../dashboard.copy.ts";
import { datesOf, datesProblem, LENGTHS, type Period } from "./period.ts";

const copy = dashboardCopy.period;

const DATES = "dates";

type PeriodSwitchProps = { period: Period; today: string; onPeriod: (period: Period) => void };

/** Which days the figures are of: the last 7, 30 or 90, or custom dates. */
export function PeriodSwitch({ period, today, onPeriod }: PeriodSwitchProps) {
  const [isChoosing, setIsChoosing] = useState(typeof period !== "number");
  const current = isChoosing || typeof period !== "number" ? DATES : String(period);
  const choose = (name: string) => {
    const length = LENGTHS.find((days) => String(days) === name);
    setIsChoosing(length === undefined);
    if (length !== undefined) onPeriod(length);
  };
  return (
    <div className="grid gap-4 print:hidden">
      <Choice
        label={copy.label}
        options={[
          ...LENGTHS.map((days) => ({ name: String(days), label: copy.days(days) })),
          { name: DATES, label: copy.dates },
        ]}
        current={current}
        onChange={choose}
      />
      {current === DATES && (
        <DatesForm
          // Dates that came with the address, or by going back, replace the former ones.
          key={JSON.stringify(period)}
          dates={datesOf(period, today)}
          today={today}
          onDates={onPeriod}
        />
      )}
    </div>
  );
}

type Dates = { from: string; to: string };

function DatesForm(props: { dates: Dates; today: string; onDates: (dates: Dates) => void }) {
  const { today, onDates } = props;
  const [dates, setDates] = useState(props.dates);
  const [problem, setProblem] = useState<ReturnType<typeof datesProblem>>(null);
  const id = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = datesProblem(dates.from, dates.to);
    setProblem(found);
    if (found === null) onDates(dates);
  };
  return (
    <form noValidate onSubmit={submit} className="grid gap-2">
      <div className="flex flex-wrap items-end gap-3">
        {(["from", "to"] as const).map((end) => (
          <Field key={end} label={copy[end]} invalid={problem !== null}>
            {(control) => (
              <TextInput
                {...control}
                type="date"
                max={today}
                aria-describedby={problem === null ? undefined : id}
                value={dates[end]}
                onChange={(event) => {
                  setDates({ ...dates, [end]: event.target.value });
                  setProblem(null);
                }}
              />
            )}
          </Field>
        ))}
        <Button type="submit" variant="secondary">
          {copy.show}
        </Button>
      </div>
      <p id={id} role="alert" className="text-sm font-medium text-coral-ink">
        {problem !== null && copy.problems[problem]}
      </p>
    </form>
  );
}
