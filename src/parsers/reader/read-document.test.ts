import { afterAll, describe, expect, it } from 'vitest'
import { docxOf, pptxOf, xlsxOf } from '#tests/office.ts'
import { forgetParsed, parseBytes } from '#tests/parsed.ts'
import { zipOf } from '#tests/zip.ts'

afterAll(forgetParsed)

const words = 'Ten words. '.repeat(20)
const paragraphs = (before: string, after: string) => `${before}${words}${after}`.repeat(50)
const odt = zipOf({
  mimetype: 'application/vnd.oasis.opendocument.text',
  'content.xml': `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:text>${paragraphs('<text:p>', '</text:p>')}</office:text></office:body></office:document-content>`,
})
const epub = zipOf({
  mimetype: 'application/epub+zip',
  'META-INF/container.xml': '<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>',
  'b.opf':
    '<package><manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>',
  'c.xhtml': `<html><body>${paragraphs('<p>', '</p>')}</body></html>`,
})
const rows = Array.from(
  { length: 200 },
  (_, at) => `<row r="${at + 1}"><c r="A${at + 1}" t="inlineStr"><is><t>${words}</t></is></c></row>`,
)

describe('readDocument', () => {
  it.each([
    ['txt', paragraphs('', '\n\n')],
    ['md', paragraphs('', '\n\n')],
    ['html', `<html><body>${paragraphs('<p>', '</p>')}</body></html>`],
    ['json', JSON.stringify(Array.from({ length: 50 }, (_, id) => ({ id, words })))],
    ['xml', `<?xml version="1.0"?><book>${paragraphs('<p>', '</p>')}</book>`],
    ['csv', `a,b\n${paragraphs('1,', '\n')}`],
    [
      'eml',
      `From: a@a.example\nTo: b@b.example\nSubject: S\nDate: Mon, 1 Jan 2024 10:00:00 +0000\n\n${paragraphs('', '\n\n')}`,
    ],
    ['rtf', `{\\rtf1 ${paragraphs('', '\\par ')}}`],
    ['docx', docxOf(paragraphs('<w:p><w:r><w:t>', '</w:t></w:r></w:p>'))],
    [
      'pptx',
      pptxOf([
        { shapes: paragraphs('<p:sp><p:txBody><a:p><a:r><a:t>', '</a:t></a:r></a:p></p:txBody></p:sp>') },
      ]),
    ],
    ['xlsx', xlsxOf([{ name: 'S', content: `<sheetData>${rows.join('')}</sheetData>` }])],
    ['odt', odt],
    ['epub', epub],
  ] as const)('omits text beyond the limit with a warning: %s', async (format, bytes) => {
    const { elements, warnings, ...read } = await parseBytes(`a.${format}`, bytes, {
      limits: { characters: 3000 },
    })
    expect(read.format).toBe(format)
    expect(elements.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(3000)
    expect(warnings).toContainEqual({ code: 'text_cut', values: { characters: 3000 } })
  })

  it('detects the format by content, and warns about a wrong extension', async () => {
    const { format, warnings, markdown } = await parseBytes(
      'letter.pdf',
      docxOf(`<w:p><w:r><w:t>Hello</w:t></w:r></w:p>`),
    )
    expect({ format, warnings, markdown }).toEqual({
      format: 'docx',
      warnings: [{ code: 'wrong_extension', values: { format: 'docx' } }],
      markdown: 'Hello',
    })
  })

  it('rejects empty, truncated and unknown files with a reason', async () => {
    await expect(parseBytes('a.docx', '')).rejects.toMatchObject({ code: 'empty' })
    const whole = docxOf('<w:p/>')
    for (const name of ['a.docx', 'a.xlsx', 'a.zip', 'a.odt', 'a.epub'])
      await expect(parseBytes(name, whole.subarray(0, whole.length / 2))).rejects.toMatchObject({
        code: 'damaged',
      })
    await expect(parseBytes('a.exe', Buffer.from('MZ\0\0\u0001\u0002'))).rejects.toMatchObject({
      code: 'unsupported',
      values: { format: 'exe' },
    })
  })
})
