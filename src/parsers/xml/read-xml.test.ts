import { describe, expect, it } from 'vitest'
import { childOf, readXml, textOf } from './read-xml.ts'

const read = (text: string) => readXml(Buffer.from(text))

describe('readXml', () => {
  it('names elements by their namespace, whatever the prefix', async () => {
    const root = await read(
      '<x:document xmlns:x="http://purl.oclc.org/ooxml/wordprocessingml/main"><x:p x:id="1">a<![CDATA[<b>]]></x:p></x:document>',
    )
    expect(childOf(root, 'w:p')).toMatchObject({ name: 'w:p', attributes: { 'w:id': '1' } })
    expect(textOf(root)).toBe('a<b>')
  })

  it('never expands entities a file declares', async () => {
    const levels = Array.from({ length: 12 }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`)
    const bomb = `<!DOCTYPE r [<!ENTITY e0 "lol">${levels.join('')}]><r>&e12;</r>`
    await expect(read(bomb)).rejects.toMatchObject({ code: 'damaged' })
    const outside = '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>'
    await expect(read(outside)).rejects.toMatchObject({ code: 'damaged' })
  })

  it('refuses truncated XML and absurdly deep nesting', async () => {
    await expect(read('<a><b>')).rejects.toMatchObject({ code: 'damaged' })
    await expect(read('<a>'.repeat(100_000))).rejects.toMatchObject({ code: 'damaged' })
  })

  it('reads other encodings', async () => {
    expect(textOf(await readXml(Buffer.from('\ufeff<a>é</a>', 'utf16le')))).toBe('é')
    expect(
      textOf(await readXml(Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>', 'latin1'))),
    ).toBe('é')
  })
})
