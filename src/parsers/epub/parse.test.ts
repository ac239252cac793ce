import { afterAll, describe, expect, it } from 'vitest'
import { forgetParsed, parseBytes } from '#tests/parsed.ts'
import { zipOf } from '#tests/zip.ts'

afterAll(forgetParsed)

const book = {
  mimetype: 'application/epub+zip',
  'META-INF/container.xml':
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="book/content.opf"/></rootfiles></container>',
  'book/content.opf': `<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">
    <metadata><dc:title>Tales</dc:title><dc:creator>Ann</dc:creator></metadata>
    <manifest><item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/><item id="b" href="two.xhtml" media-type="application/xhtml+xml"/>
    <item id="a" href="one%20first.xhtml" media-type="application/xhtml+xml"/></manifest>
    <spine><itemref idref="n"/><itemref idref="a"/><itemref idref="b"/></spine></package>`,
  'book/nav.xhtml': '<html><body><h1>Contents</h1></body></html>',
  'book/one first.xhtml':
    '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body><h1>One</h1><p>Once <a id="x"/>upon</p></body></html>',
  'book/two.xhtml': '<html><body><h1>Two</h1></body></html>',
}

describe('epub', () => {
  it('joins the chapters in order', async () => {
    const { markdown, facts } = await parseBytes('a.epub', zipOf(book))
    expect(markdown).toBe('# One\n\nOnce upon\n\n# Two')
    expect(facts).toEqual({ title: 'Tales', author: 'Ann' })
  })

  it('reports that a book is protected', async () => {
    const bytes = zipOf({
      ...book,
      'META-INF/encryption.xml': '<x><CipherReference URI="book/two.xhtml"/></x>',
    })
    await expect(parseBytes('a.epub', bytes)).rejects.toMatchObject({ code: 'encrypted' })
  })
})
