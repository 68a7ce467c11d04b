import type { ISql } from "postgres";
import type { World } from "./attempts.ts";

/** Calls of every function of the API that signed-in users may make, built from the catalog. */

type Argument = { name: string; type: string };

/** A function of the API as the catalog knows it. */
export type Callable = { signature: string; name: string; takes: Argument[] };

/** Values that name something of an organisation, for arguments of identifiers and of texts. */
export type Given = { identifiers: readonly string[]; words: readonly string[] };

/** A call, and which of the given values stand in it. */
export type Call = { call: string; given: string };

/** Functions that signed-in users, and keys of the API, may call. */
export async function readCallables(sql: ISql): Promise<Callable[]> {
  return sql<Callable[]>`
    select p.proname || '(' || oidvectortypes(p.proargtypes) || ')' as signature, p.proname as name,
      coalesce((
        select json_agg(json_build_object('name', p.proargnames[n], 'type', format_type(t, null)) order by n)
        from unnest(p.proargtypes) with ordinality as u (t, n)), '[]') as takes
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace and has_function_privilege('authenticated', p.oid, 'execute')
      and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    order by 1`;
}

type Tenant = World["ours"];

/** Arguments that a signed-in user would send, in SQL: by the argument's name, else by its type. */
const BY_NAME: Readonly<Record<string, (self: Tenant) => string>> = {
  p_org_id: ({ id }) => `'${id}'`,
  p_store_id: ({ storeId }) => `'${storeId}'`,
  p_campaign_id: ({ campaignId }) => `'${campaignId}'`,
  p_member_id: ({ users }) => `'${users.cashier.id}'`,
  p_code: ({ code }) => `'${code}'`,
  p_email: () => "'nouvelle@exemple.fr'",
  p_kind: () => "'campaign'",
  p_role: () => "'cashier'",
  p_scope: () => "'redeem'",
  p_permissions: () => "'{codes.redeem}'",
  p_filters: () => "'{}'",
  p_until: () => "now()",
  p_sort: () => "'created_at'",
  p_status: () => "'used'",
};
const BY_TYPE: Readonly<Record<string, string>> = {
  text: "'Essai'",
  integer: "1",
  numeric: "1",
  boolean: "true",
};

const plausible = ({ name, type }: Argument, self: Tenant) =>
  `${(type === "boolean" ? undefined : BY_NAME[name]?.(self)) ?? BY_TYPE[type] ?? "null"}::${type}`;

/** Calls in which one argument, in turn, is each given value of its type; the rest is plausible and one's own. */
export function callsOf({ name, takes }: Callable, self: Tenant, values: Given): Call[] {
  const named = takes.flatMap(({ type }, place) => {
    if (type === "text") return values.words.map((given) => ({ place, given, value: given }));
    const isOne = type === "uuid";
    return isOne || type === "uuid[]"
      ? values.identifiers.map((given) => ({ place, given, value: isOne ? given : `{${given}}` }))
      : [];
  });
  const all = named.length > 0 ? named : [{ place: -1, given: "", value: "" }];
  return all.map(({ place, given, value }) => {
    const list = takes.map((argument, at) =>
      at === place ? `'${value}'::${argument.type}` : plausible(argument, self),
    );
    return { call: `select public.${name}(${list.join(", ")})::text as answer`, given };
  });
}

/**
 * Calls in which identifiers and words meet: one identifier and one word in turn, or none, and lists both of what is in use and
 * of what is not. Other identifiers are one's own, other words are empty.
 */
export function pairsOf({ name, takes }: Callable, self: Tenant, values: Given): Call[] {
  const placesOf = (type: string) => takes.flatMap((one, at) => (one.type === type ? [at] : []));
  const each = (places: readonly number[], candidates: readonly string[]) => [
    { place: -1, value: "" },
    ...places.flatMap((place) => candidates.map((value) => ({ place, value }))),
  ];
  const identifiers = each(placesOf("uuid"), values.identifiers);
  const words = each(placesOf("text"), values.words);
  const switches = placesOf("boolean").length > 0 ? ["false", "true"] : [""];
  return identifiers.flatMap((identifier) =>
    words.flatMap((word) =>
      switches.map((isOn) => {
        const list = takes.map((argument, at) => {
          if (at === identifier.place) return `'${identifier.value}'::uuid`;
          if (argument.type === "text") return `'${at === word.place ? word.value : ""}'`;
          return argument.type === "boolean" ? isOn : plausible(argument, self);
        });
        return {
          call: `select public.${name}(${list.join(", ")})::text as answer`,
          given: `${identifier.value} ${word.value}`,
        };
      }),
    ),
  );
}
