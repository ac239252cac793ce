/** Letters of scripts that run from right to left, and signs that turn text around. */
const TURNS =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
/** What would end the isolation early. */
const CONTROLS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const [ISOLATE, END] = ['\u2068', '\u2069']

/**
 * Somebody's words as they stand in a sentence of ours: where they run from right to left they are isolated, so that they turn
 * nothing around them.
 */
export function isolate(words: string): string {
  return TURNS.test(words) ? `${ISOLATE}${words.replace(CONTROLS, '')}${END}` : words
}
