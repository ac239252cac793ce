import { posix } from 'node:path'
import { type Job, Unreadable } from '../elements/port.ts'
import { decodeHtml } from '../html/decode-html.ts'
import { readHtml } from '../html/read-html.ts'
import { childOf, childrenOf, findAll, readXml, textOf, type XmlNode } from '../xml/read-xml.ts'
import { openZip, type Zip } from '../zip/open-zip.ts'

/** Reads a book: its chapters in order, one after the other. */
export async function parse(job: Job): Promise<void> {
  const zip = await openZip(job)
  try {
    if (await isProtected(zip)) throw new Unreadable('encrypted')
    const container = await part(zip, 'META-INF/container.xml')
    const path = findAll(container, 'rootfile')[0]?.attributes['full-path'] ?? ''
    const book = await part(zip, path)
    if (!book) throw new Unreadable('damaged', {}, { cause: new Error('no package document') })
    describe(job, book)
    const chapters = chaptersOf(book).map((href) => posix.join(posix.dirname(path), decode(href)))
    for (const [at, chapter] of chapters.entries()) {
      job.signal.throwIfAborted()
      const bytes = await zip.read(chapter)
      if (bytes)
        for (const element of readHtml(withClosedTags(decodeHtml(bytes).text)).elements) job.add(element)
      job.progress(at + 1, chapters.length)
    }
  } finally {
    zip.close()
  }
}

async function part(zip: Zip, name: string): Promise<XmlNode | null> {
  const bytes = await zip.read(name)
  return bytes && readXml(bytes)
}

/** Protected books list their chapters as encrypted; fonts may be encrypted in any book. */
async function isProtected(zip: Zip): Promise<boolean> {
  const text = (await zip.read('META-INF/encryption.xml'))?.toString('utf8') ?? ''
  return /URI="[^"]+\.(x?html?|xml)"/i.test(text)
}

function chaptersOf(book: XmlNode): string[] {
  const items = new Map(
    findAll(childOf(book, 'manifest'), 'item').map(({ attributes }) => [attributes.id ?? '', attributes]),
  )
  return childrenOf(childOf(book, 'spine'), 'itemref').flatMap(({ attributes }) => {
    const item = items.get(attributes.idref ?? '')
    const isContent = item && /html/.test(item['media-type'] ?? '') && !/\bnav\b/.test(item.properties ?? '')
    return isContent && item.href ? [item.href] : []
  })
}

function describe(job: Job, book: XmlNode): void {
  const said = (name: string) => textOf(findAll(book, name)[0]).trim()
  const facts = { title: said('dc:title'), author: said('dc:creator') }
  job.describe(Object.fromEntries(Object.entries(facts).filter(([, value]) => value)))
}

/** XHTML closes empty elements that HTML does not: `<title/>` would swallow the page. */
function withClosedTags(text: string): string {
  return text.replace(
    /<(title|script|style|a|div|span|p|i|b|em|td|th|li|iframe|textarea)(\s[^<>]*)?\/>/gi,
    '<$1$2></$1>',
  )
}

function decode(href: string): string {
  try {
    return decodeURIComponent(href)
  } catch {
    return href
  }
}
