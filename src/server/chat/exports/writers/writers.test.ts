import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { parseMarkdown } from '#shared/platform/markdown/document.ts'
import type { ChatDocument } from '../chat/chat-document.ts'
import { writeDocx } from './write-docx.ts'
import { writeHtml } from './write-html.ts'

function aChatDocument(source: string, title = 'Chat'): ChatDocument {
  const parts = [{ kind: 'text' as const, blocks: parseMarkdown(source), source }]
  return {
    ...{ title, byline: 'Ada', author: 'Ada', language: 'en', notes: [], images: {} },
    chapters: [{ title: null, entries: [{ author: 'Atrium', time: '09:00', isPerson: false, parts }] }],
    words: { image: '[image: {{alt}}]' },
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
