import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import { afterAll, describe, expect, it } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { parseMarkdown } from '#shared/platform/markdown/document.ts'
import { forgetParsed, parseBytes } from '#tests/parsed.ts'
import type { ChatDocument } from '../chat/chat-document.ts'
import { mathLines } from './math/math-text.ts'
import { openFonts } from './pdf/fonts.ts'
import { systemFonts } from './pdf/system-fonts.ts'
import { visualOrder } from './pdf/visual-order.ts'
import { writeDocx } from './write-docx.ts'
import { writeHtml } from './write-html.ts'
import { writePdf } from './write-pdf.ts'

function aChatDocument(source: string, title = 'Chat'): ChatDocument {
  const parts = [{ kind: 'text' as const, blocks: parseMarkdown(source), source }]
  return {
    ...{ title, byline: 'Ada', author: 'Ada', product: 'Zenith', language: 'en', notes: [], images: {} },
    chapters: [{ title: null, entries: [{ author: 'Atrium', time: '09:00', isPerson: false, parts }] }],
    words: { image: '[image: {{alt}}]', lacking: 'No font for {{scripts}}.' },
  }
}

async function wordDocument(source: string, title?: string): Promise<string> {
  const zip = await fromBufferPromise(Buffer.from(await writeDocx(aChatDocument(source, title))))
  for await (const entry of zip.eachEntry())
    if (entry.fileName === 'word/document.xml')
      return (await buffer(await zip.openReadStreamPromise(entry))).toString()
  throw new Error('The file has no document.')
}

/** Returns the paragraphs that contain the words, as XML. */
const paragraphsWith = (xml: string, words: string) =>
  xml.split('<w:p>').filter((paragraph) => paragraph.includes(words))

it('a PDF names the product of its reader in its properties [GV-06]', async () => {
  const bytes = await writePdf(aChatDocument('Hello'))
  expect(Buffer.from(bytes).toString('latin1')).toMatch(/\d+ 0 obj\n\(Zenith\)/)
})

describe('right-to-left text', () => {
  const source =
    '## عنوان\n\nمرحبا (مثال) English word.\n\n1. عنصر\n2. item\n\n| الاسم | Code |\n|---|---|\n| سارة | 1 |\n\n> اقتباس\n\nA word: مرحبا.\n\n`code`\n'

  it('is set right to left in a Word document, with its runs', async () => {
    const xml = await wordDocument(source, 'محادثة')
    for (const words of ['محادثة', 'عنوان', 'عنصر', 'سارة', 'اقتباس'])
      expect(paragraphsWith(xml, words)[0]).toContain('<w:bidi/>')
    for (const words of ['item', 'A word', 'code'])
      expect(paragraphsWith(xml, words)[0]).not.toContain('<w:bidi/>')
    expect(xml).toContain('<w:bidiVisual/>')
    const [mixed] = paragraphsWith(xml, 'English word')
    expect(mixed).toMatch(/<w:rtl\/><\/w:rPr><w:t xml:space="preserve">مرحبا \(مثال\) <\/w:t>/)
    expect(mixed).toMatch(/<w:r><w:t xml:space="preserve">English word<\/w:t>/)
  })

  it('is set right to left in a page, where code is not', () => {
    const html = [...writeHtml(aChatDocument(source, 'محادثة'))].join('')
    expect(html).toContain('<h1 dir="auto">محادثة</h1>')
    expect(html).toContain('<p dir="rtl">مرحبا')
    expect(html).toContain('<p dir="ltr">A word')
    expect(html).toMatch(/<ol dir="rtl" start="1"><li dir="rtl">[\s\S]*<li dir="ltr">/)
    expect(html).toContain('<table dir="rtl">')
    expect(html).toContain('<code dir="ltr">code</code>')
  })
})

describe('a PDF', () => {
  afterAll(forgetParsed)
  const fontsOf = (folder: string) =>
    openFonts(new PDFDocument({ font: null as unknown as string }), systemFonts([folder]))
  const read = async (source: string) =>
    (await parseBytes('a.pdf', await writePdf(aChatDocument(source)))).text

  it('names the scripts that no font of the machine has', () => {
    const none = fontsOf('/nowhere')
    expect(none.lacking('Ünicode, Ελληνικά, Привет, مرحبا, ≥ → 😀👍🏽🇫🇷')).toEqual(['Zsye'])
    expect(none.lacking('中文：テキスト 한국어 हिन्दी ไทย')).toEqual(['Hani', 'Jpan', 'Kore', 'Deva', 'Thai'])
    expect(
      none
        .split('🇫🇷', 'regular')
        .map(({ text }) => text)
        .join(''),
    ).toBe('FR')
  })

  it('says so in the file, and only then', async () => {
    expect(await read('ancient \u{12000}')).toContain('No font for Symbols.')
    expect(await read('plain')).not.toContain('No font')
  })

  it('takes missing letters from the fonts of the machine', () => {
    const folder = dirname(
      createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuMathTeXGyre.ttf'),
    )
    const letter = '\u{1d4d0}'
    expect(fontsOf('/nowhere').lacking(letter)).toEqual(['Zsym'])
    expect(fontsOf(folder).lacking(letter)).toEqual([])
    expect(fontsOf(folder).split(letter, 'bold')[0]?.text).toBe(letter)
    expect(systemFonts(['/nowhere']).find(0x41)).toBeNull()
  })
})

describe('numbers in a PDF', () => {
  it.each(['17,100.00', '−47.1', '1,117,111.11'])('are as wide as their digits and marks: %s', (number) => {
    const fonts = openFonts(new PDFDocument({ font: null as unknown as string }))
    const width = (text: string) =>
      fonts.split(text, 'bold').reduce((sum, piece) => sum + fonts.width(piece.text, piece.font, 10), 0)
    const apart = [...number].map((sign) => width(`0${sign}`) - width('0')).reduce((sum, one) => sum + one, 0)
    expect(width(number)).toBeCloseTo(apart, 1)
    // Letters have kerning.
    expect(width('AV')).toBeLessThan(width('A') + width('V'))
  })
})

describe('a formula', () => {
  it.each([
    ['E=mc^2', ['E = mc²']],
    ['\\frac{a}{b+1}', ['a/(b + 1)']],
    ['\\int_0^1 x\\,dx', ['∫₀¹x dx']],
    ['\\sum_{i=1}^n x_i', ['∑ᵢ₌₁ⁿxᵢ']],
    ['\\sqrt[3]{x}+\\hat x', ['³√x + x\u0302']],
    ['\\text{Revenue} = \\$5', ['Revenue = $5']],
    ['x^{\\alpha\\beta}', ['x^αβ']],
    ['\\begin{aligned} a&=1\\\\ b&=2 \\end{aligned}', ['a = 1', 'b = 2']],
    ['\\frac{1}{', ['\\frac{1}{']],
  ])('is %s in letters and signs', (tex, lines) => expect(mathLines(tex, true)).toEqual(lines))

  it('is a formula in a Word document and in a page, and text in a PDF', async () => {
    const source = 'Math $E=mc^2$ and\n\n$$\n\\frac{a}{b}\n$$\n'
    const xml = await wordDocument(source)
    expect(xml).toMatch(/<m:sSup>.*<m:t[^>]*>c<\/m:t>.*<m:sup>.*<m:t[^>]*>2<\/m:t>/)
    expect(xml).toContain('<m:num>')
    expect(xml).not.toContain('frac')
    const html = [...writeHtml(aChatDocument(source))].join('')
    expect(html).toContain('<msup><mi>c</mi><mn>2</mn></msup>')
    const { text } = await parseBytes('a.pdf', await writePdf(aChatDocument(source)))
    expect(text).toContain('Math E = mc² and')
    expect(text).toContain('a/b')
    await forgetParsed()
  })
})

describe('the order of a line with right-to-left words', () => {
  const shown = (words: string[], base: 'ltr' | 'rtl') =>
    visualOrder(
      words.map((text) => ({ text })),
      base,
    )
      .map(({ text }) => text)
      .join('')

  it('follows the line, keeps Latin words and numbers, and turns brackets around', () => {
    expect(shown(['مرحبا', ' ', '(', 'مثال', ')', ' ', 'English', ' ', 'word', '.'], 'rtl')).toBe(
      '.English word (مثال) مرحبا',
    )
    expect(shown(['A', ' ', 'مرحبا', ' ', 'هذا', ' ', 'B', '.'], 'ltr')).toBe('A هذا مرحبا B.')
    expect(shown(['السعر', ' ', '12.5', ' ', 'هنا'], 'rtl')).toBe('هنا 12.5 السعر')
    expect(shown(['one', ' ', '(two)', '.'], 'ltr')).toBe('one (two).')
  })
})
