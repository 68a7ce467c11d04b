import * as z from "zod/mini";

const line = z.string().check(z.trim(), z.minLength(1), z.maxLength(300));

/**
 * Operator of this service, as the law wants it named (design, section 6): the legal pages read it
 * from `/config.json`, the server from the file that `OPERATOR_FILE` names. A missing entry is
 * null.
 */
export const operator = z.object({
  /** Name and legal form of the company. */
  company: z._default(z.nullable(line), null),
  /** Registered office. */
  address: z._default(z.nullable(line), null),
  /** Number in the trade register. */
  registration: z._default(z.nullable(line), null),
  /** Person who answers for the published content. */
  director: z._default(z.nullable(line), null),
  /** Name and address of the host. */
  host: z._default(z.nullable(line), null),
  /** Address to write to. */
  contact_email: z._default(z.nullable(line), null),
  /** Address of the data protection officer. */
  dpo_email: z._default(z.nullable(line), null),
  /** Where a demo can be booked. */
  demo_url: z._default(z.nullable(z.url({ protocol: /^https$/ })), null),
});
export type Operator = z.infer<typeof operator>;

/** An operator who has said nothing yet. */
export const unknownOperator: Operator = operator.parse({});

/** Entries that a real service must have and this file lacks, by the file's own names. */
export function missingEntries(known: Operator): string[] {
  return Object.entries(known)
    .filter(([name, value]) => value === null && name !== "demo_url")
    .map(([name]) => name);
}

/** Words of a claim, in characters at most. */
const words = (most: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(most));

/**
 * Claims of an operator about the service on the landing page; as many as the page has room for.
 */
export const claims = z.object({
  figures: z._default(
    z.array(z.object({ value: words(16), label: words(40) })).check(z.maxLength(3)),
    [],
  ),
  testimonials: z._default(
    z.array(z.object({ text: words(240), name: words(60), role: words(60) })).check(z.maxLength(3)),
    [],
  ),
});
export type Claims = z.infer<typeof claims>;

/**
 * Schema of the whole file: the law asks for proof of claims, so that they have to be confirmed.
 */
export const operatorFile = z.object({
  // Not by `z.extend`: phones, which have this file with the rules, would load that as well.
  ...operator.shape,
  /** Whether the claims are real, and the operator can prove them. */
  claims_confirmed: z._default(z.boolean(), false),
  /** The operator's own, in place of the specification's examples. */
  claims: z._default(z.nullable(claims), null),
});
export type OperatorFile = z.infer<typeof operatorFile>;

/**
 * Content of the landing page: claims, the specification's examples, or null for facts that can be
 * proven instead.
 */
export type ShownClaims = Claims | "examples" | null;

/** The claims that may be shown: in local mode all, elsewhere those that are confirmed. */
export function shownClaims(file: OperatorFile, isLocal: boolean): ShownClaims {
  if (!isLocal && !file.claims_confirmed) return null;
  if (file.claims === null) return "examples";
  const { figures, testimonials } = file.claims;
  return figures.length + testimonials.length > 0 ? file.claims : null;
}

/** The same as one line of JSON, as a hosted project keeps it among its secrets. */
export const operatorJson = z.pipe(
  z.string(),
  z.pipe(
    z.transform((text: string): unknown => JSON.parse(text)),
    operator,
  ),
);
