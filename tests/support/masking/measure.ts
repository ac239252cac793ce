import type { MaskKind } from '#shared/models/masking/masking.ts'
import type { Label, Labelled } from './labelled.ts'

type Count = { found: number; all: number; missed: string[]; false: string[] }
export type Measured = { recall: number; precision: number; perThousand: number; kinds: Map<MaskKind, Count> }

/**
 * Compares what a finder finds with the labels. A label counts as found only if every one of its letters and digits is covered, whatever
 * the kind. A find counts as false if none of its letters is in a label.
 */
export function measure(texts: readonly Labelled[], find: (text: string) => Label[]): Measured {
  const kinds = new Map<MaskKind, Count>()
  const countOf = (kind: MaskKind) => {
    const count = kinds.get(kind) ?? { found: 0, all: 0, missed: [], false: [] }
    kinds.set(kind, count)
    return count
  }
  let words = 0
  let finds = 0
  for (const { text, labels } of texts) {
    words += text.split(/\s+/).length
    const found = find(text)
    finds += found.length
    const covered = (at: number) => found.some((one) => one.at <= at && at < one.end)
    for (const label of labels) {
      const count = countOf(label.kind)
      count.all++
      if (places(text, label).every(covered)) count.found++
      else
        count.missed.push(`${text.slice(label.at, label.end)} ⟵ ${text.replaceAll('\n', '⏎').slice(0, 160)}`)
    }
    for (const one of found)
      if (!labels.some((label) => label.at < one.end && one.at < label.end))
        countOf(one.kind).false.push(
          `${text.slice(one.at, one.end)} ⟵ ${text.replaceAll('\n', '⏎').slice(0, 160)}`,
        )
  }
  const counts = [...kinds.values()]
  const sum = (of: (count: Count) => number) => counts.reduce((all, one) => all + of(one), 0)
  const wrong = sum((one) => one.false.length)
  return {
    recall:
      sum((one) => one.found) /
      Math.max(
        1,
        sum((one) => one.all),
      ),
    precision: finds === 0 ? 1 : 1 - wrong / finds,
    perThousand: (wrong / Math.max(1, words)) * 1000,
    kinds,
  }
}

const places = (text: string, { at, end }: Label) =>
  Array.from({ length: end - at }, (_, one) => at + one).filter((one) =>
    /[\p{L}\p{N}]/u.test(text[one] ?? ''),
  )
