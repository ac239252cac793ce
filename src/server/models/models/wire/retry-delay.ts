/** Maximum delay that is accepted from a provider, in seconds. */
const RETRY_AFTER_MAX = 86_400
/** Headers that name the delay, the most reliable first. */
const HEADERS = ['retry-after', 'x-ratelimit-reset-after', 'ratelimit-reset']
const UNITS: Record<string, number> = {
  ms: 0.001,
  s: 1,
  sec: 1,
  second: 1,
  m: 60,
  min: 60,
  minute: 60,
  h: 3600,
  hour: 3600,
}

/** Returns the delay in seconds that a provider requests in a header or in its answer; undefined when it names none. */
export function readRetryDelay(headers: Record<string, unknown>, body: string): number | undefined {
  const ms = Number(headers['retry-after-ms'] ?? Number.NaN)
  const named = HEADERS.map((name) => readValue(headers[name])).find((seconds) => seconds !== undefined)
  const seconds = ms >= 0 ? ms / 1000 : (named ?? readBody(body))
  return seconds === undefined ? undefined : Math.min(Math.max(seconds, 0), RETRY_AFTER_MAX)
}

/** Reads seconds, a span such as `1m12s`, or a date. */
function readValue(given: unknown): number | undefined {
  const value = Array.isArray(given) ? given[0] : given
  if (typeof value !== 'string' || value.trim() === '') return undefined
  const number = Number(value)
  // A larger number is a time in seconds or milliseconds since 1970.
  if (number >= 1e12) return (number - Date.now()) / 1000
  if (number >= 1e9) return number - Date.now() / 1000
  if (Number.isFinite(number)) return number
  const span = readSpan(value.trim())
  if (span !== undefined) return span
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : (date - Date.now()) / 1000
}

/** Returns the seconds of a span at the beginning of a text, such as `7.66s`, `1m2.5s` or `9 seconds`. */
function readSpan(text: string): number | undefined {
  const part =
    /(\d{1,9}(?:\.\d{1,9})?) {0,2}(ms|milliseconds?|seconds?|sec|s|minutes?|min|m|hours?|h)(?![a-z])/iy
  const units = text.replaceAll(/(?<=[a-z])(?=\d)/gi, ' ')
  let seconds: number | undefined
  for (let found = part.exec(units); found; found = part.exec(units)) {
    const [, count = '0', unit = 's'] = found
    const name = unit.toLowerCase().replace(/^milli.*/, 'ms')
    seconds = (seconds ?? 0) + Number(count) * (UNITS[name] ?? UNITS[name.replace(/s$/, '')] ?? 1)
    while (units[part.lastIndex] === ' ') part.lastIndex += 1
  }
  return seconds
}

/** Google names `"retryDelay": "21s"`, gateways `"retry_after": 3`, others a sentence. */
function readBody(body: string): number | undefined {
  const field = /"retry_?(?:Delay|after)(?:_seconds)?":\s{0,5}"?(\d{1,9}(?:\.\d{1,9})?)s?"?/i.exec(body)?.[1]
  if (field !== undefined) return Number(field)
  const at = /(?:try again|retry)(?: again)? (?:in|after) /i.exec(body)
  return at ? readSpan(body.slice(at.index + at[0].length, at.index + at[0].length + 40)) : undefined
}
