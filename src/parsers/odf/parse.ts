import { type Element, type Job, Unreadable } from '../elements/port.ts'
import { childOf, elementsOf, findAll, readXml, textOf, type XmlNode } from '../xml/read-xml.ts'
import { openZip, type Zip } from '../zip/open-zip.ts'
import { readBlocks } from './blocks.ts'
import { linesOf } from './inline.ts'
import { readSheets } from './sheets.ts'
import { readSlides } from './slides.ts'
import { readStyles, type Styles } from './styles.ts'

/** Reads texts, workbooks and presentations of OpenDocument. */
export async function parse(job: Job): Promise<void> {
  const zip = await openZip(job)
  try {
    if (/<manifest:encryption-data/.test((await zip.read('META-INF/manifest.xml'))?.toString('utf8') ?? ''))
      throw new Unreadable('encrypted')
    const meta = await part(zip, 'meta.xml')
    const title = textOf(findAll(meta, 'dc:title')[0]).trim()
    if (title) job.describe({ title })
    await read(job, zip)
  } finally {
    zip.close()
  }
  job.progress(1, 1)
}

async function read(job: Job, zip: Zip): Promise<void> {
  const styleRoot = await part(zip, 'styles.xml')
  if (job.format === 'ods') {
    const content = await zip.stream('content.xml')
    if (!content) throw new Unreadable('damaged')
    return readSheets(job, content, await sheetStyles(zip, styleRoot))
  }
  const root = await part(zip, 'content.xml')
  const body = childOf(root, 'office:body')
  if (!body) throw new Unreadable('damaged')
  const styles = readStyles([styleRoot, root])
  if (job.format === 'odp') return readSlides(job, childOf(body, 'office:presentation'), styleRoot, styles)
  for (const element of margins(styleRoot, 'header', styles)) job.add(element)
  for (const element of readBlocks(childOf(body, 'office:text') ?? body, styles)) job.add(element)
  for (const element of margins(styleRoot, 'footer', styles)) job.add(element)
}

async function part(zip: Zip, name: string): Promise<XmlNode | null> {
  const bytes = await zip.read(name)
  return bytes && readXml(bytes)
}

/** Rows are read as a stream. The content before them is only needed for its styles, which are at its beginning. */
async function sheetStyles(zip: Zip, styleRoot: XmlNode | null): Promise<Styles> {
  const source = await zip.stream('content.xml')
  const parts: Buffer[] = []
  for await (const chunk of source ?? []) {
    parts.push(chunk as Buffer)
    if (Buffer.concat(parts).includes('</office:automatic-styles>')) break
    if (parts.length > 500) break
  }
  const head = Buffer.concat(parts).toString('utf8')
  const end = head.indexOf('</office:automatic-styles>')
  const root = end < 0 ? null : /<office:document-content[^<>]*>/.exec(head)?.[0]
  const own = root && head.slice(head.indexOf('<office:automatic-styles'), end)
  return readStyles([
    styleRoot,
    own
      ? await readXml(Buffer.from(`${root}${own}</office:automatic-styles></office:document-content>`))
      : null,
  ])
}

/** The texts of page headers or footers, each once. */
function margins(styleRoot: XmlNode | null, kind: 'header' | 'footer', styles: Styles): Element[] {
  const masters = elementsOf(childOf(styleRoot, 'office:master-styles'))
  const texts = masters.map((master) =>
    linesOf(childOf(master, `style:${kind}`) ?? { name: '', attributes: {}, children: [] }, styles),
  )
  return [...new Set(texts)]
    .filter(Boolean)
    .map((text) => ({ type: kind === 'header' ? 'Header' : 'Footer', text }))
}
