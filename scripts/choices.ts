import { type ParseArgsConfig, parseArgs } from "node:util";

type Options = NonNullable<ParseArgsConfig["options"]>;

/** Ends a development command that was called with something it does not have: its usage on stderr, and exit status 2. */
export function refuseChoices(usage: string): never {
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}

function parse<const T extends Options>(options: T, usage: string) {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    const code = error instanceof TypeError && "code" in error ? String(error.code) : "";
    if (!code.startsWith("ERR_PARSE_ARGS_")) throw error;
    return refuseChoices(usage);
  }
}

/**
 * Options of a development command, and its words without a dash where it takes some. `--help` prints the usage and ends
 * the command; an option or a word that it does not have is refused.
 */
export function readChoices<const T extends Options>(
  usage: string,
  options: T,
  words: readonly string[] = [],
) {
  if (process.argv.slice(2).some((argument) => argument === "--help" || argument === "-h")) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  const { values, positionals } = parse(options, usage);
  if (positionals.some((word) => !words.includes(word))) refuseChoices(usage);
  return { values, words: positionals };
}
