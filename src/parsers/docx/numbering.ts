import { childOf, childrenOf, type XmlNode } from '../xml/read-xml.ts'
import { setting } from './styles.ts'

type Level = { format: string; text: string; start: number }
/** The marker of an item: `3.`, `a)`, `2.1`. `isBullet` for a bullet; `isPlain` when it is only a number and a dot. */
export type Marker = { text: string; isBullet: boolean; isPlain: boolean }

/** Counts the items of a document's lists: call it once for each item, in order. */
export function readNumbering(root: XmlNode | null): (list: { id: string; depth: number }) => Marker {
  const abstracts = new Map(
    childrenOf(root, 'w:abstractNum').map((node) => [
      node.attributes['w:abstractNumId'] ?? '',
      levelsOf(node),
    ]),
  )
  const lists = new Map(
    childrenOf(root, 'w:num').map((node) => {
      const key = setting(childOf(node, 'w:abstractNumId')) ?? ''
      const levels = new Map(abstracts.get(key))
      let isOwn = false
      for (const override of childrenOf(node, 'w:lvlOverride')) {
        const depth = Number(override.attributes['w:ilvl'])
        const level = childOf(override, 'w:lvl')
        const start = setting(childOf(override, 'w:startOverride'))
        if (level) levels.set(depth, levelOf(level))
        else if (start !== undefined)
          levels.set(depth, { ...(levels.get(depth) ?? bullet), start: Number(start) })
        isOwn = true
      }
      const id = node.attributes['w:numId'] ?? ''
      // Lists of one definition continue the numbering of the previous one, unless a list defines its own start.
      return [id, { counter: isOwn ? `own ${id}` : key, levels }]
    }),
  )
  const counters = new Map<string, number[]>()
  return ({ id, depth }) => {
    const list = lists.get(id)
    const level = list?.levels.get(depth)
    if (!list || !level || level.format === 'bullet' || level.format === 'none')
      return { text: '', isBullet: true, isPlain: true }
    const counts = counters.get(list.counter) ?? []
    counters.set(list.counter, counts)
    const startOf = (at: number) => list.levels.get(at)?.start ?? 1
    for (let at = 0; at < depth; at += 1) counts[at] ??= startOf(at)
    counts[depth] = (counts[depth] ?? startOf(depth) - 1) + 1
    counts.length = depth + 1
    const text = level.text.replace(/%([1-9])/g, (_, digit: string) => {
      const at = Number(digit) - 1
      const format = level.text.includes('%2') ? 'decimal' : (list.levels.get(at)?.format ?? 'decimal')
      return written(counts[at] ?? startOf(at), at === depth ? level.format : format)
    })
    return { text, isBullet: false, isPlain: /^\d{1,9}[.)]?$/.test(text) }
  }
}

const bullet: Level = { format: 'bullet', text: '', start: 1 }

function levelsOf(node: XmlNode): Map<number, Level> {
  return new Map(
    childrenOf(node, 'w:lvl').map((level) => [Number(level.attributes['w:ilvl']), levelOf(level)]),
  )
}

function levelOf(node: XmlNode): Level {
  return {
    format: setting(childOf(node, 'w:numFmt')) ?? 'decimal',
    text: setting(childOf(node, 'w:lvlText')) ?? '',
    start: Number(setting(childOf(node, 'w:start')) ?? 1),
  }
}

function written(number: number, format: string): string {
  if (format === 'lowerLetter' || format === 'upperLetter') {
    const letter = String.fromCharCode(97 + ((number - 1) % 26)).repeat(Math.min(5, Math.ceil(number / 26)))
    return format === 'upperLetter' ? letter.toUpperCase() : letter
  }
  if (format === 'lowerRoman') return roman(number)
  if (format === 'upperRoman') return roman(number).toUpperCase()
  return format === 'decimalZero' ? String(number).padStart(2, '0') : String(number)
}

function roman(number: number): string {
  const signs = [
    [1000, 'm'],
    [900, 'cm'],
    [500, 'd'],
    [400, 'cd'],
    [100, 'c'],
    [90, 'xc'],
    [50, 'l'],
    [40, 'xl'],
    [10, 'x'],
    [9, 'ix'],
    [5, 'v'],
    [4, 'iv'],
    [1, 'i'],
  ] as const
  let rest = Math.min(number, 4999)
  return signs
    .map(([value, sign]) => {
      const times = Math.floor(rest / value)
      rest -= times * value
      return sign.repeat(times)
    })
    .join('')
}
