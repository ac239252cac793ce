/** `at` is the index of its first character. */
export type ClockTime = { hours: number; minutes: number; at: number }

const WRITTEN =
  /(?<![\d.:,-])(?:(\d{1,2}):(\d{2})(?::\d{2})?|(\d{1,2})(?:[.:](\d{2}))? ?(?=[ap]\.?m\b)|(\d{1,2}) ?h(?:eures?)?(?: ?(\d{2}))?(?![\p{L}\d])|(\d{1,2}) o['’]?clock)\s?([ap])?\.?(?:m\b)?|(?<!\p{L})(noon|midday|midnight|midi|minuit)(?!\p{L})/iu

/** Returns the first time of day in a text; null when there is none or no clock shows it. */
export function readClockTime(text: string): ClockTime | null {
  const found = WRITTEN.exec(text)
  if (!found) return null
  const [, first, b, c, d, e, f, g, half, named] = found
  const { index: at } = found
  if (named) return { at, hours: /^mid(?:night)|^minuit/i.test(named) ? 0 : 12, minutes: 0 }
  const hours = Number(first ?? c ?? e ?? g)
  const minutes = Number(b ?? d ?? f ?? 0)
  if (hours > 24 || minutes > 59 || (half && (hours > 12 || hours === 0))) return null
  if (!half) return { at, hours: hours % 24, minutes }
  return { at, hours: (hours % 12) + (half.toLowerCase() === 'p' ? 12 : 0), minutes }
}
