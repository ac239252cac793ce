/**
 * The text of one token: its number in the stream and its send time, in a fixed width, so that it can be found however the
 * server splits or joins texts: `~000041@0000123456789012;`.
 */
const TOKEN_LENGTH = 25
const NUMBER_DIGITS = 6
const TIME_DIGITS = 16

// Both clocks use the same monotonic source; `performance.now` is cheaper.
const [seconds, nanoseconds] = process.hrtime()
const offsetUs = seconds * 1e6 + nanoseconds / 1e3 - performance.now() * 1e3

/** Returns microseconds of a clock shared by all processes of this machine. */
export function nowUs(): number {
  return Math.round(performance.now() * 1e3 + offsetUs)
}

export function tokenText(number: number, sentUs: number): string {
  return `~${String(number).padStart(NUMBER_DIGITS, '0')}@${String(sentUs).padStart(TIME_DIGITS, '0')};`
}

/** Calls `found` for every token in a text, in order. */
export function scanTokens(text: string, found: (number: number, sentUs: number) => void): void {
  for (let at = text.indexOf('~'); at >= 0; at = text.indexOf('~', at + 1)) {
    if (text[at + TOKEN_LENGTH - 1] !== ';' || text[at + NUMBER_DIGITS + 1] !== '@') continue
    const time = at + NUMBER_DIGITS + 2
    found(Number(text.slice(at + 1, time - 1)), Number(text.slice(time, time + TIME_DIGITS)))
  }
}

/** Returns a prompt that requests this many tokens from the scripted provider. */
export function askFor(tokens: number): string {
  return `Please stream tokens=${tokens}`
}

/** Returns how many tokens the newest prompt in a request body requests. */
export function askedTokens(body: string): number {
  return Number([...body.matchAll(/tokens=(\d+)/g)].at(-1)?.[1] ?? 0)
}
