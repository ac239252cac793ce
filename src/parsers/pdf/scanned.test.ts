import { createCanvas } from '@napi-rs/canvas'
import { expect, test } from 'vitest'
import { drawnFont } from '#tests/drawn-text.ts'
import { buildPdf, write } from '#tests/pdf.ts'
import { readBytes } from '#tests/reading.ts'
import { parse } from './parse.ts'

/** Returns a scanned page: a picture of text at 100 dpi, rotated clockwise. */
function scan(
  text: string,
  turn: 0 | 90,
  { size = 24, strokes = 0, lines = 1, stamp = '', isSmall = false } = {},
): Uint8Array {
  const canvas = createCanvas(600, 800)
  const context = canvas.getContext('2d')
  context.fillStyle = 'white'
  context.fillRect(0, 0, 600, 800)
  context.fillStyle = 'black'
  context.font = drawnFont(size)
  if (turn === 90) {
    context.translate(600, 0)
    context.rotate(Math.PI / 2)
  }
  for (let at = 0; at < lines; at++) context.fillText(text, 60, 100 + at * 40)
  // Crosses out the text.
  for (let at = 0; at < strokes; at++) context.fillRect(60 + at * 5, 84 + ((at * 7) % 12), 4, 3)
  const { data } = context.getImageData(0, 0, 600, 800)
  const rgb = new Uint8Array(600 * 800 * 3)
  for (let at = 0; at < 600 * 800; at++) rgb.set(data.subarray(at * 4, at * 4 + 3), at * 3)
  const matrix = isSmall ? '216 0 0 288 100 100' : '432 0 0 576 0 0'
  const content = [`q ${matrix} cm /Scan Do Q`, ...(stamp ? [write(300, 550, stamp)] : [])]
  return buildPdf([
    { width: 432, height: 576, content, pictures: { Scan: { width: 600, height: 800, rgb } } },
  ])
}

test.each([
  [0, [0.1, 0.095, 0.9, 0.14]],
  [90, [0.8, 0.06, 0.87, 0.9]],
] as const)(
  'reads the words of a scan that is rotated by %i degrees',
  { timeout: 120_000 },
  async (turn, around) => {
    const { elements, pages, warnings } = await readBytes(
      parse,
      'pdf',
      scan('Monthly statement of accounts', turn),
    )
    expect(elements.filter(({ type }) => type === 'NarrativeText').map(({ text }) => text)).toEqual([
      'Monthly statement of accounts',
    ])
    expect(warnings).toEqual([{ code: 'pages_by_ocr', values: { pages: 1 } }])
    expect(pages[0]?.words?.map(({ text }) => text)).toEqual(['Monthly', 'statement', 'of', 'accounts'])
    expect(pages[0]?.confidence).toBeGreaterThan(0.7)
    const [left = 0, top = 0, right = 0, bottom = 0] = pages[0]?.words?.[1]?.box ?? []
    expect([left > around[0], top > around[1], right < around[2], bottom < around[3]]).toEqual([
      true,
      true,
      true,
      true,
    ])
  },
)

test('warns about a scan with low confidence', { timeout: 120_000 }, async () => {
  const { warnings, pages } = await readBytes(
    parse,
    'pdf',
    scan('Monthly statement of accounts', 0, { size: 14, strokes: 60 }),
  )
  expect(pages[0]?.confidence).toBeLessThan(0.65)
  expect(warnings).toContainEqual({ code: 'low_confidence', values: { pages: 1 } })
})

test('warns about a page without text in the low-latency pipeline', async () => {
  const { elements, warnings } = await readBytes(parse, 'pdf', scan('Unread', 0), { pipeline: 'low_latency' })
  expect(elements).toEqual([])
  expect(warnings).toContainEqual({ code: 'pages_without_text', values: { pages: 1 } })
})

test('reads a scan that has a stamp as real text', { timeout: 120_000 }, async () => {
  const bytes = scan('Monthly statement of accounts', 0, { lines: 4, stamp: 'EXHIBIT 000417' })
  const { elements, warnings } = await readBytes(parse, 'pdf', bytes)
  const text = elements.map((one) => one.text).join(' ')
  expect(text.match(/EXHIBIT 000417/g)).toHaveLength(1)
  expect(text.match(/Monthly statement/g)).toHaveLength(4)
  expect(warnings).toEqual([{ code: 'pages_by_ocr', values: { pages: 1 } }])
})

test('warns about a picture of text within a page, and reads it in the improved pipeline', {
  timeout: 120_000,
}, async () => {
  const bytes = scan('Monthly statement of accounts', 0, {
    lines: 4,
    stamp: 'Figure 1 follows',
    isSmall: true,
  })
  const normal = await readBytes(parse, 'pdf', bytes)
  expect(normal.warnings).toEqual([{ code: 'pictures_with_text', values: { count: 1 } }])
  expect(normal.markdown).not.toContain('Monthly')
  const improved = await readBytes(parse, 'pdf', bytes, { pipeline: 'improved' })
  expect(improved.warnings).toEqual([{ code: 'pictures_by_ocr', values: { count: 1 } }])
  expect(improved.markdown).toContain('Monthly statement')
  const [left = 0, top = 0, right = 1, bottom = 1] =
    improved.elements.find(({ text }) => text.includes('Monthly'))?.place?.boxes?.[0]?.box ?? []
  expect([left > 0.23, right < 0.74, top > 0.32, bottom < 0.83]).toEqual([true, true, true, true])
})
