import * as z from "zod/mini";

const line = z.string().check(z.trim(), z.minLength(1), z.maxLength(300));

/**
 * Who runs this service, as the law wants it said (design, section 6): the legal pages read it from
 * `/config.json`, the server from the file that `OPERATOR_FILE` names. What is missing is null.
 */
export const operator = z.object({
  /** Name and legal form of the company. */
  company: z._default(z.nullable(line), null),
  /** Registered office. */
  address: z._default(z.nullable(line), null),
  /** Number in the trade register. */
  registration: z._default(z.nullable(line), null),
  /** Who answers for what is published. */
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

/** What a real service has to say and this file does not, by the file's own names. */
export function missingEntries(known: Operator): string[] {
  return Object.entries(known)
    .filter(([name, value]) => value === null && name !== "demo_url")
    .map(([name]) => name);
}

/** The same as one line of JSON, as a hosted project keeps it among its secrets. */
export const operatorJson = z.pipe(
  z.string(),
  z.pipe(
    z.transform((text: string): unknown => JSON.parse(text)),
    operator,
  ),
);
