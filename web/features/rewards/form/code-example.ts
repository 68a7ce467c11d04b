/** Eight signs as the draw gives them, always the same, so that the example holds still. */
const RANDOM = "7K3M9QXA";

/** A code that a template leads to: {random} becomes 8 signs, appended when the template lacks it. */
export function codeExample(template: string): string {
  const trimmed = template.trim();
  if (!trimmed) return `WIN${RANDOM}`;
  return trimmed.includes("{random}")
    ? trimmed.replaceAll("{random}", RANDOM)
    : `${trimmed}-${RANDOM}`;
}
