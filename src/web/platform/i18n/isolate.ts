/** Letters of right-to-left scripts, and characters that reverse text direction. */
const TURNS =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
/** Characters that would end the isolation early. */
const CONTROLS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const [ISOLATE, END] = ['\u2068', '\u2069']

/** Isolates right-to-left text by others within our sentences, so that it does not reverse them. */
export function isolate(words: string): string {
  return TURNS.test(words) ? `${ISOLATE}${words.replace(CONTROLS, '')}${END}` : words
}
