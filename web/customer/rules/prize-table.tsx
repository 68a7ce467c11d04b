import type { RulesContent, RulesPrize } from "#domain/schemas/campaign-rules.ts";
import { rulesCopy } from "./rules.copy.ts";
import { count, euros, percent } from "./rules-format.ts";

const copy = rulesCopy.prizes;

function Segments({ labels, name }: { labels: readonly string[]; name: string }) {
  if (labels.every((label) => label === name)) return null;
  return <span className="block text-sm font-normal">{copy.segments(labels)}</span>;
}

/** Details of a prize beside its name: discount, points, item. */
function details({ name, discount, points, item }: RulesPrize): string[] {
  const parts: string[] = [];
  if (item !== null) parts.push(item);
  if (discount !== null) parts.push(copy.discount(percent(discount)));
  if (points !== null) parts.push(copy.points(count(points)));
  const plain = (text: string) => text.replaceAll(/\s/g, " ");
  return parts.filter((part) => plain(part) !== plain(name));
}

/** On a narrow phone a row is a card whose figures name themselves; on paper and wide screens a table. */
const CELL =
  "flex justify-between gap-4 py-1 before:font-normal before:content-[attr(data-label)] sm:table-cell sm:py-3 sm:pl-4 sm:text-right sm:align-top sm:before:content-none print:table-cell print:before:content-none";

const ROW = "block break-inside-avoid border-b border-line py-3 sm:table-row print:table-row";

function Row({ prize }: { prize: RulesPrize }) {
  const { name, labels, value, number, odds, points, max_per_user, validity_days, shared } = prize;
  return (
    <tr className={ROW}>
      <th
        scope="row"
        className="block text-left font-bold sm:table-cell sm:py-3 sm:align-top print:table-cell"
      >
        {name}
        {details(prize).map((detail) => (
          <span key={detail} className="block text-base font-normal">
            {detail}
          </span>
        ))}
        <Segments labels={labels} name={name} />
        <span className="block text-sm font-normal">{copy.maxPerUser(max_per_user)}</span>
        {shared && number !== null && (
          <span className="block text-sm font-normal">{copy.shared}</span>
        )}
        {validity_days !== null && (
          <span className="block text-sm font-normal">
            {(points === null ? copy.validity : copy.pointsValidity)(validity_days)}
          </span>
        )}
      </th>
      <td className={CELL} data-label={copy.value}>
        {value === null ? copy.noValue : euros(value)}
      </td>
      <td className={CELL} data-label={copy.number}>
        {number === null ? copy.noLimit : count(number)}
      </td>
      <td className={`${CELL} font-bold tabular-nums`} data-label={copy.odds}>
        {percent(odds)}
      </td>
    </tr>
  );
}

/** The prizes of a draw with their odds, the losing segments last. */
export function PrizeTable({ content }: { content: RulesContent }) {
  const { prizes, losing } = content;
  const heads = [copy.name, copy.value, copy.number, copy.odds];
  return (
    <table className="block w-full border-collapse text-base sm:table print:table">
      <caption className="sr-only">{copy.caption}</caption>
      <thead className="sr-only sm:not-sr-only sm:table-header-group">
        <tr className="border-b-2 border-ink">
          {heads.map((head) => (
            <th
              key={head}
              scope="col"
              className="pb-2 pl-4 text-right font-bold first:pl-0 first:text-left"
            >
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="block sm:table-row-group print:table-row-group">
        {prizes.map((prize, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two prizes may bear one name, and nothing ever moves.
          <Row key={index} prize={prize} />
        ))}
        {losing !== null && (
          <tr className={ROW}>
            <th
              scope="row"
              colSpan={3}
              className="block text-left font-bold sm:table-cell sm:py-3 print:table-cell"
            >
              {copy.lose}
              <Segments labels={losing.labels} name={copy.lose} />
            </th>
            <td className={`${CELL} font-bold tabular-nums`} data-label={copy.odds}>
              {percent(losing.odds)}
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
