import { expect, test } from 'vitest'
import { liesOverItsText, placedPages } from '#tests/placed-pages.ts'
import { readBytes } from '#tests/reading.ts'
import { parse } from './parse.ts'

test.each(['low_latency', 'normal'] as const)(
  'places boxes over their text on rotated, cropped and right-to-left pages and in two-page tables: %s',
  async (pipeline) => {
    const { bytes, placed } = placedPages(11)
    const byNumber = new Map(placed.map((one) => [one.number, one]))
    const { elements } = await readBytes(parse, 'pdf', bytes, { pipeline })
    const verdicts = elements.map(({ text, place }) => ({
      text,
      isOver: liesOverItsText(text, place?.boxes ?? [], byNumber),
    }))
    expect(verdicts.filter(({ isOver }) => isOver === false)).toEqual([])
    const found = new Set(elements.flatMap(({ text }) => text.match(/\b\d{6}\b/g) ?? []))
    expect(placed.filter(({ number }) => !found.has(number))).toEqual([])
    if (pipeline === 'normal')
      expect(elements.filter(({ place }) => place?.boxes?.length === 2)).toMatchObject([{ type: 'Table' }])
  },
)
