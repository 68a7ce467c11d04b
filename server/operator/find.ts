import type { TransactionSql } from "postgres";
import { fillText } from "../start/fill-text.ts";
import { operatorCopy } from "./operator.copy.ts";
import type { OperatorCommand } from "./operator-command.ts";
import { idIn, required } from "./subjects.ts";
import { noteCommand } from "./trail.ts";

/** How many of a kind are shown. */
const MAX_RESULTS = 20;

/**
 * `find`: accounts, organisations and customers by address, name or identifier. Of a person it says what was asked for alone: a
 * name where a name was searched, and no address.
 */
export const find: OperatorCommand = async (sql, { argument }) => {
  const name = required(argument, "ce qui est cherché");
  const lines = [
    ...(await findOrganizations(sql, name)),
    ...(await findAccounts(sql, name)),
    ...(await findCustomers(sql, name)),
  ];
  // The searched text may be a person's name: it is not written down.
  await noteCommand(sql, "search.made", null);
  return lines.length === 0 ? operatorCopy.nothing : lines.join("\n");
};

const patternOf = (name: string) => `%${name.replace(/[\\%_]/g, "\\$&")}%`;

const isAddress = (name: string) => name.includes("@");

async function findOrganizations(sql: TransactionSql, name: string): Promise<string[]> {
  if (isAddress(name)) return [];
  const rows = await sql<
    {
      id: string;
      slug: string;
      name: string;
      plan: string | null;
      status: string | null;
      suspended_at: Date | null;
      erase_at: Date | null;
    }[]
  >`
    select o.id, o.slug, o.name, s.plan, s.status, s.suspended_at, o.erase_at
    from public.organizations o left join public.subscriptions s on s.org_id = o.id
    where o.id = ${idIn(name)} or o.slug = ${name} or o.name ilike ${patternOf(name)}
    order by o.name, o.id limit ${MAX_RESULTS}`;
  return rows.map(({ suspended_at, erase_at, plan, status, ...organization }) =>
    fillText(operatorCopy.organization, {
      ...organization,
      plan: plan ?? "–",
      status: status ?? "–",
      state: [
        suspended_at && fillText(operatorCopy.suspended, { day: dayOf(suspended_at) }),
        erase_at && fillText(operatorCopy.ending, { day: dayOf(erase_at) }),
      ]
        .filter(Boolean)
        .join(""),
    }),
  );
}

async function findAccounts(sql: TransactionSql, name: string): Promise<string[]> {
  const rows = await sql<
    {
      id: string;
      name: string | null;
      is_confirmed: boolean;
      is_banned: boolean;
      role: string | null;
      slug: string | null;
      factors: number;
      sessions: number;
    }[]
  >`
    select u.id, u.raw_user_meta_data ->> 'full_name' as name, u.confirmed_at is not null as is_confirmed,
      coalesce(u.banned_until > now(), false) as is_banned, m.role, o.slug,
      (select count(*)::integer from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified') as factors,
      (select count(*)::integer from auth.sessions s where s.user_id = u.id) as sessions
    from auth.users u
    left join public.organization_members m on m.user_id = u.id
    left join public.organizations o on o.id = m.org_id
    where u.deleted_at is null and case
      when ${isAddress(name)} then u.email = ${name.toLowerCase()}
      else u.id = ${idIn(name)} or u.raw_user_meta_data ->> 'full_name' ilike ${patternOf(name)}
    end
    order by u.created_at desc, u.id limit ${MAX_RESULTS}`;
  const asksForName = !isAddress(name) && idIn(name) === null;
  return rows.map(({ role, slug, is_confirmed, is_banned, ...account }) =>
    fillText(operatorCopy.account, {
      ...account,
      name: asksForName && account.name !== null ? `« ${account.name} »  ` : "",
      role: role && slug ? fillText(operatorCopy.role, { role, slug }) : operatorCopy.noRole,
      state: `${is_confirmed ? "" : operatorCopy.waiting}${is_banned ? operatorCopy.banned : ""}`,
    }),
  );
}

/** Customers by address or identifier alone: a name finds too many, in every shop. */
async function findCustomers(sql: TransactionSql, name: string): Promise<string[]> {
  if (!isAddress(name) && idIn(name) === null) return [];
  const rows = await sql<{ id: string; slug: string }[]>`
    select c.id, o.slug from public.customers c join public.organizations o on o.id = c.org_id
    where c.id = ${idIn(name)} or lower(c.email) = ${name.toLowerCase()}
    order by o.slug, c.id limit ${MAX_RESULTS}`;
  return rows.map((customer) => fillText(operatorCopy.customer, customer));
}

function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}
