import { scaleOf, wordNumbers, wordOrdinals } from './number-words.ts'
import type { Quantity } from './quantity.ts'
import { shareMeasures } from './ranges.ts'
import { boundBeside, comparisonBehind, directionAhead, rateAhead, rateBehind } from './terms.ts'
import { languageOf } from './text-language.ts'
import { unitBehind, unitBeside } from './units.ts'

const NUMBER = /\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)*/gu
const CLOCK =
  /(?<![\d.,:])(\d{1,2})(?:(?::|h| h )([0-5]\d)|\.([0-5]\d)(?=\s?(?:[ap]\.?m\b|Uhr)))(?:\s?([ap])\.?m\b\.?)?|(?<![\d.,:])(\d{1,2})(?:\s?([ap])\.?m\b\.?|\sUhr\b)/giu
const ABOUT =
  /(?:about|around|approximately|roughly|nearly|almost|some|environ|pr[eè]s de|quelque|rund|etwa|ca\.?|circa|ungef[aä]hr|unos|unas|aproximadamente|cerca de|~|≈)\s?(?:[€$£]\s?)?$/i
const LOSS = /\b(?:loss(?:es)?|deficit|pertes?|déficit|verlust\w*|pérdidas?)\b/iu
const GAIN = /\b(?:profits?|gains?|surplus|bénéfices?|gewinn\w*|beneficios?|ganancias?)\b/iu
const MINUS = /(?:(?:^|[\s(:€$£])[-−]|\b(?:minus|moins|menos)\s)(?:[€$£]\s?)?$/iu

/** The numbers of a text without its dates, in digits and in words. */
export function quantitiesIn(text: string): Quantity[] {
  const clocks = [...[...text.matchAll(CLOCK)].flatMap(clockOf), ...halfHours(text)]
  const halves = halfScales(text)
  const rest = blank(text, [...clocks, ...halves])
  const group = groupingOf(text)
  const digits = [...rest.matchAll(NUMBER)].map(({ 0: written, index }) =>
    digitsAt(rest, written, index, group),
  )
  const words = wordNumbers(blank(rest, digits)).map(({ value, at, length }) =>
    wordAt(text, value, at, length),
  )
  const ordinals = wordOrdinals(rest).map(({ value, at, length }) => ({
    ...{
      values: [value],
      unit: null,
      isNegative: false,
      isOrdinal: true,
      slack: 0,
      at,
      text: text.slice(at, at + length),
    },
  }))
  const all = [...clocks, ...halves, ...digits, ...words, ...ordinals].sort((a, b) => a.at - b.at)
  return shareMeasures(text, all)
}

function clockOf(found: RegExpMatchArray): Quantity[] {
  const hour = Number(found[1] ?? found[5])
  const minute = Number(found[2] ?? found[3] ?? 0)
  const half = (found[4] ?? found[6])?.toLowerCase()
  const whole = half === 'p' && hour < 12 ? hour + 12 : half === 'a' && hour === 12 ? 0 : hour
  if (whole > 24) return []
  // A full hour may be said as its number alone.
  const values = minute === 0 ? [whole * 60, hour] : [whole * 60 + minute]
  return [
    {
      values,
      unit: { kind: 'clock', factor: 1 },
      isNegative: false,
      isOrdinal: false,
      slack: 0,
      at: found.index ?? 0,
      text: found[0],
    },
  ]
}

const HALF_HOUR = /\bhalb (\p{L}+)/giu

/** "Halb acht" is half past seven. */
const halfHours = (text: string): Quantity[] =>
  [...text.matchAll(HALF_HOUR)].flatMap(({ 0: said, 1: word = '', index: at }) => {
    const [hour] = wordNumbers(word)
    if (!hour || hour.value > 12) return []
    const minutes = hour.value * 60 - 30
    const unit = { kind: 'clock', factor: 1 }
    return [
      {
        ...{ values: [minutes, minutes + 720], unit, isNegative: false, isOrdinal: false, slack: 0 },
        ...{ at, text: said },
      },
    ]
  })

const HALF_SCALE =
  /(?<!\p{L})(?:half an?|un demi|eine halbe|einer halben|medio)[\s-](million|billion|milliard|milliarde|millon|millón)(?!\p{L})/giu

/** "Half a million". */
const halfScales = (text: string): Quantity[] =>
  Array.from(text.matchAll(HALF_SCALE), ({ 0: said, 1: scale = '', index: at }) => ({
    ...wordAt(text, (scaleOf(scale) ?? 0) / 2, at, said.length),
  }))

const blank = (text: string, some: readonly { at: number; text: string }[]) =>
  some.reduce(
    (rest, { at, text: one }) => rest.slice(0, at) + ' '.repeat(one.length) + rest.slice(at + one.length),
    text,
  )

function digitsAt(text: string, written: string, at: number, group: string | null): Quantity {
  const isInRound = /\(\s?$/.test(text.slice(0, at)) && /^\s?\)/.test(text.slice(at + written.length))
  const before = isInRound ? text.slice(0, at).replace(/\(\s?$/, '') : text.slice(0, at)
  const after = text.slice(at + written.length).replace(isInRound ? /^\s?\)/ : /^$/, '')
  const scale = /^[\s-]?(?:(\p{L}+)|([kKM])(?=[€$£]|\b))/u.exec(after)
  const word = scale?.[1] ?? ''
  const letter = /^\s?(k|K)(?=[€$£\s.,)]|$)/.exec(after)
    ? 1_000
    : (/[€$£]\s?$/.test(before) && /^\s?[mM]\b/.test(after)) || /^\s?[mM]\s?[€$£]/.test(after)
      ? 1e6
      : null
  const factor = letter ?? scaleOf(word) ?? 1
  const behind = factor === 1 ? after : after.replace(/^[\s-]?\p{L}+\.?(?:\s(?:de|d['’]))?/u, '')
  const isOrdinal = /^(?:st|nd|rd|th|e|ème|eme|er|º|ª)\b/u.test(after)
  const isCents = /^\s?(?:cents?|centimes?|c[eé]ntimos?|pence)\b/i.test(after)
  const values = valuesOf(written, group).flatMap((value) =>
    isCents ? [value, value / 100] : [value * factor],
  )
  return {
    values,
    ...(factor === 1 ? {} : { scale: factor }),
    isLoss: LOSS.test(before.slice(-40)),
    isGain: GAIN.test(before.slice(-40)) && !LOSS.test(before.slice(-40)),
    ...{ bound: boundBeside(before, after), rate: rateBehind(behind) ?? rateAhead(before) },
    direction: directionAhead(before) ?? comparisonBehind(behind),
    unit: isOrdinal ? null : unitBeside(before, behind),
    ...{
      isNegative: MINUS.test(before) || (isInRound && /[€$£]\s?$/.test(before)),
      isOrdinal,
      at,
      text: written,
    },
    slack: ABOUT.test(before) ? 0.05 * Math.max(...values) : slackOf(written, factor),
  }
}

function wordAt(text: string, value: number, at: number, length: number): Quantity {
  const before = text.slice(0, at)
  return {
    values: [value],
    unit: unitBeside(before, text.slice(at + length)),
    bound: boundBeside(before, text.slice(at + length)),
    rate: rateBehind(text.slice(at + length)) ?? rateAhead(before),
    direction: directionAhead(before) ?? comparisonBehind(text.slice(at + length)),
    ...{
      isNegative: MINUS.test(before),
      isOrdinal: false,
      slack: ABOUT.test(before) ? 0.05 * value : 0,
      at,
      text: text.slice(at, at + length),
    },
  }
}

/** Replaces numbers and their units by spaces of the same length; names such as "line 4" stay. */
export function withoutMeasures(text: string, quantities: readonly Quantity[]): string {
  return quantities.reduce((left, { at, text: said, unit }) => {
    const end = at + said.length
    const scale = /^[\s-]?(?:\p{L}+)/u.exec(left.slice(end, end + 20))?.[0] ?? ''
    const scaled = scaleOf(scale.trim()) === null ? end : end + scale.length
    const measured = unit ? scaled + (unitBehind(left.slice(scaled))?.length ?? 0) : scaled
    const from =
      at -
      (/(?:US\$|[€$£¥]|\b(?:EUR|USD|GBP|CHF|JPY))\s?$/.exec(left.slice(Math.max(0, at - 5), at))?.[0]
        .length ?? 0)
    return left.slice(0, from) + ' '.repeat(measured - from) + left.slice(measured)
  }, text)
}

/** Half of the last written digit before a scale word: "1.25 million" may stand for 1,254,000. */
function slackOf(written: string, factor: number): number {
  const decimals = /[.,](\d{1,2})$/.exec(written)?.[1]?.length ?? 0
  const isPrecise = written.replace(/\D/g, '').length >= 2
  return factor > 1 && isPrecise && decimals > 0 ? (factor * 10 ** -decimals) / 2 : 0
}

/** The sign that groups thousands in the language of a text. Null when that is unknown. */
function groupingOf(text: string): string | null {
  const language = languageOf(text)
  if (language === null || language === 'fr') return null
  return language === 'en' ? ',' : '.'
}

/** Every value digits may mean: where the language is unknown, `1,234` is one thousand or one and a bit. */
function valuesOf(written: string, group: string | null): number[] {
  const joined = written.replace(/[ \u00a0\u202f'’]/gu, '')
  const separators = joined.match(/[.,]/g) ?? []
  const last = separators.at(-1)
  if (last === undefined) return [Number(joined)]
  const decimal = Number(
    joined.slice(0, joined.lastIndexOf(last)).replace(/[.,]/g, '') +
      '.' +
      joined.slice(joined.lastIndexOf(last) + 1),
  )
  const whole = Number(joined.replace(/[.,]/g, ''))
  const isGrouped = /^[1-9]\d{0,2}(?:[.,]\d{3})+$/.test(joined) && new Set(separators).size === 1
  if (separators.length > 1)
    return isGrouped ? [whole] : new Set(separators).size > 1 ? [decimal] : joined.split(/[.,]/).map(Number)
  if (!isGrouped) return [decimal]
  return group === last ? [whole] : [whole, decimal]
}
