import { expect, test } from 'vitest'
import { buildPdf, LAM_ALEF, type PdfPage, write } from '#tests/pdf.ts'
import { readBytes } from '#tests/reading.ts'
import { parse } from './parse.ts'

const read = (pages: PdfPage[]) => readBytes(parse, 'pdf', buildPdf(pages), { pipeline: 'low_latency' })

test('returns paragraphs with their boxes as fractions of the page', async () => {
  const { elements, pages, progress } = await read([
    {
      width: 600,
      height: 800,
      content: [write(60, 720, 'The first line of a paragraph'), write(60, 708, 'and its second one.')],
    },
    { width: 600, height: 800, content: [write(60, 720, 'Another page.')] },
  ])
  expect(elements.map(({ text }) => text)).toEqual([
    'The first line of a paragraph and its second one.',
    'Another page.',
  ])
  const [left, top, right, bottom] = elements[0]?.place?.boxes?.[0]?.box ?? []
  expect(left).toBeCloseTo(0.1, 3)
  expect(top).toBeCloseTo(1 - 728 / 800, 2)
  expect(right).toBeCloseTo(0.304, 2)
  expect(bottom).toBeCloseTo(1 - 706 / 800, 2)
  expect(pages).toEqual([
    { number: 1, width: 600, height: 800 },
    { number: 2, width: 600, height: 800 },
  ])
  expect(progress).toEqual([
    [1, 2],
    [2, 2],
  ])
})

test('returns boxes on the displayed page, which is rotated and cropped', async () => {
  const { elements, pages } = await read([
    {
      width: 600,
      height: 800,
      rotate: 90,
      cropBox: [100, 100, 500, 700],
      content: [write(120, 650, 'Somewhere', { size: 20 })],
    },
  ])
  // After a clockwise rotation by 90°, text from the upper left corner is at the upper right and runs downwards.
  expect(pages).toEqual([{ number: 1, width: 600, height: 400, rotation: 90 }])
  const [left = 0, top = 0, right = 0, bottom = 0] = elements[0]?.place?.boxes?.[0]?.box ?? []
  expect(top).toBeCloseTo(20 / 400, 2)
  expect(bottom - top).toBeGreaterThan((right - left) * 2)
  expect((left + right) / 2).toBeCloseTo((650 + 6 - 100) / 600, 1)
})

test('reads columns of flowing text one after another, but short texts row by row', async () => {
  const words = 'flowing text that goes on from line to line'
  const rows = Array.from({ length: 6 }, (_, at) => [
    write(50, 700 - at * 12, `left ${at} ${words}`, { size: 9 }),
    write(320, 700 - at * 12, `right ${at} ${words}`, { size: 9 }),
  ])
  const labels = ['Name', 'Place', 'Date'].flatMap((label, at) => [
    write(50, 500 - at * 12, label),
    write(200, 500 - at * 12, `value ${at}`),
  ])
  const { elements } = await read([{ content: [...rows.flat(), ...labels] }])
  const text = elements.map((element) => element.text).join(' ')
  expect(text.indexOf('left 5')).toBeLessThan(text.indexOf('right 0'))
  expect(text).toContain('Name value 0 Place value 1 Date value 2')
})

test('returns Arabic with Latin words and ligatures in logical order', async () => {
  // In visual order, from left to right. The letters lam and alef form one ligature.
  const shown = [...'السلام'.replace('لا', '\ufefb')].reverse().join('')
  const { elements } = await read([
    {
      content: [
        write(300, 700, shown, { font: 'any' }),
        write(250, 700, 'Python'),
        write(200, 700, [...'مرحبا'].reverse().join(''), { font: 'any' }),
      ],
    },
  ])
  expect(elements.map(({ text }) => text).join(' ')).toBe('السلام Python مرحبا')
})

test('preserves the letter order of glyphs that map to two letters, and of definite articles', async () => {
  const shown = [...`المشك${LAM_ALEF}ت من خ${LAM_ALEF}ل البرمجة`].reverse().join('')
  const { elements } = await read([{ content: [write(200, 700, shown, { font: 'any' })] }])
  expect(elements.map(({ text }) => text)).toEqual(['المشكلات من خلال البرمجة'])
})

test('joins a word that is hyphenated at the end of a line', async () => {
  const { elements } = await read([{ content: [write(60, 720, 'It is a docu-'), write(60, 708, 'ment.')] }])
  expect(elements.map(({ text }) => text)).toEqual(['It is a document.'])
})

test('skips pages beyond the limit with a warning', async () => {
  const pages = Array.from({ length: 4 }, (_, at) => ({ content: [write(60, 700, `Page ${at + 1}`)] }))
  const limits = { pages: 2, characters: 1e6, rows: 10, unpackedBytes: 1e6, entries: 10, depth: 1 }
  const { elements, warnings } = await readBytes(parse, 'pdf', buildPdf(pages), {
    limits,
    pipeline: 'low_latency',
  })
  expect(elements.map(({ text }) => text)).toEqual(['Page 1', 'Page 2'])
  expect(warnings).toContainEqual({ code: 'pages_skipped', values: { pages: 2 } })
})

test('rejects a file with several times as many pages as the limit', async () => {
  const pages = Array.from({ length: 9 }, (_, at) => ({ content: [write(60, 700, `Page ${at + 1}`)] }))
  const limits = { pages: 2, characters: 1e6, rows: 10, unpackedBytes: 1e6, entries: 10, depth: 1 }
  await expect(readBytes(parse, 'pdf', buildPdf(pages), { limits })).rejects.toMatchObject({
    code: 'too_many_pages',
  })
})

test('omits text beyond the character limit with a warning', async () => {
  const pages = Array.from({ length: 4 }, (_, at) => ({
    content: [write(60, 700, `Text of page ${at + 1}`)],
  }))
  const limits = { pages: 9, characters: 30, rows: 10, unpackedBytes: 1e6, entries: 10, depth: 1 }
  const { elements, warnings, progress } = await readBytes(parse, 'pdf', buildPdf(pages), { limits })
  expect(elements.map(({ text }) => text)).toEqual(['Text of page 1', 'Text of page 2'])
  expect(warnings).toEqual([{ code: 'text_cut', values: { characters: 30 } }])
  expect(progress.at(-1)).toEqual([3, 4])
})

test('rejects damaged and encrypted files with a reason', async () => {
  const whole = buildPdf([{ content: [write(60, 700, 'Whole')] }])
  await expect(readBytes(parse, 'pdf', Buffer.from('%PDF-1.7\nand nothing else'))).rejects.toMatchObject({
    name: 'Unreadable',
    code: 'damaged',
  })
  await expect(readBytes(parse, 'pdf', locked(whole))).rejects.toMatchObject({
    name: 'Unreadable',
    code: 'encrypted',
  })
})

/** Marks a file as encrypted with an unknown password. */
function locked(bytes: Uint8Array): Uint8Array {
  const secret = `<${'ab'.repeat(32)}>`
  const encrypt = `/Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O ${secret} /U ${secret} >> /ID [<00> <00>]`
  return Buffer.from(
    Buffer.from(bytes).toString('latin1').replace('trailer\n<<', `trailer\n<< ${encrypt}`),
    'latin1',
  )
}
