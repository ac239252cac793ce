import { describe, expect, it } from 'vitest'
import { type FontVerdicts, rereadIllegible } from './illegible-fonts.ts'

const prose =
  'The committee reviewed the annual report of the harbour office and decided to postpone the works on the northern quay'
const shifted = [...prose]
  .map((sign) => (sign === ' ' ? ' ' : String.fromCharCode(sign.charCodeAt(0) - 29)))
  .join('')
const cyrillic =
  'Äîãîâîð àðåíäû ïîäïèñàí ïÿòîãî ìàðòà, àðåíäíàÿ ïëàòà ñîñòàâëÿåò òûñÿ÷ó ðóáëåé â ìåñÿö è âíîñèòñÿ'

const size = { width: 100, height: 100 }
const run = (text: string) => ({
  ...{ left: 0, right: 100, top: 10, bottom: 20, text },
  ...{ size: 10, baseline: 18, font: 'F', isRightToLeft: false },
})
const seeing = (text: string) => async () => ({
  ...{ confidence: 0.9, turn: 0 as const },
  paragraphs: [
    {
      ...{ text, box: [0, 0.1, 1, 0.2] as [number, number, number, number] },
      words: text.split(' ').map((word) => ({
        ...{ text: word, confidence: 0.9, box: [0.4, 0.1, 0.5, 0.2] as [number, number, number, number] },
      })),
    },
  ],
})
const never = () => Promise.reject(new Error('OCR was not needed'))

async function reread(text: string, see: Parameters<typeof rereadIllegible>[2]['see']) {
  const verdicts: FontVerdicts = new Map()
  const one = run(text)
  const result = await rereadIllegible([{ turn: 0, runs: [one] }], size, { see, verdicts })
  return { text: one.text, verdict: verdicts.get('F'), result }
}

describe('rereadIllegible', () => {
  it.each([
    ['shifted codes', shifted],
    ['Cyrillic read as Western letters', cyrillic],
    ['codes of private use', prose.replace(/[a-z]/g, '\ue041')],
    ['letters encoded twice', `${prose} Ã©tÃ© Ã©tÃ©`],
  ])('replaces %s by the result of OCR', async (_, wrong) => {
    const { text, verdict, result } = await reread(wrong, seeing(prose))
    expect({ text, verdict, result }).toEqual({
      ...{ text: prose, verdict: 'wrong' },
      result: { reread: 1, doubtful: 0, replaced: [wrong] },
    })
  })

  it.each([
    ['prose', prose],
    [
      'names',
      'Okonkwo Lindqvist Renard Smith Johnson Muller Garcia Tanaka Ivanova Petrov Rossi Bianchi Nguyen Kim Park',
    ],
    ['a short text', 'XKCD QWRT'],
    ['numbers', '1,450 2,300 17.25 '.repeat(20)],
  ])('does not run OCR on %s', async (_, right) => {
    expect((await reread(right, never)).text).toBe(right)
  })

  it('keeps odd letters that OCR confirms, and does not run OCR again', async () => {
    const codes = 'XQJZ-KRTV WPLX-QZTR BGHK-ZXCV MNQP-LKJH '.repeat(4).trim()
    const { text, verdict, result } = await reread(codes, seeing(codes))
    expect({ text, verdict, result }).toEqual({
      ...{ text: codes, verdict: 'right' },
      result: { reread: 0, doubtful: 0, replaced: [] },
    })
    const more = run(codes)
    const verdicts: FontVerdicts = new Map([['F', 'right']])
    await rereadIllegible([{ turn: 0, runs: [more] }], size, { see: never, verdicts })
    expect(more.text).toBe(codes)
  })

  it('counts lines that OCR cannot read either', async () => {
    const { text, result } = await reread(shifted, seeing('~ ~'))
    expect({ text, doubtful: result.doubtful }).toEqual({ text: shifted, doubtful: 1 })
  })
})
