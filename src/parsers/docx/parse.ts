import { Readable } from 'node:stream'
import { paragraphOf } from '../elements/elements.ts'
import { hiddenText } from '../elements/hidden-text.ts'
import type { Element, Job } from '../elements/port.ts'
import { readGraphic } from '../ooxml/graphics.ts'
import { packageReader } from '../ooxml/open-package.ts'
import type { Package } from '../ooxml/package.ts'
import { childrenOf, eachNode, elementsOf, type XmlNode } from '../xml/read-xml.ts'
import { type Around, Body } from './body.ts'
import { readNumbering } from './numbering.ts'
import { readStyles } from './styles.ts'

/** A Word document with all tracked changes accepted. Its body is read as a stream. */
export const parse = packageReader(read)

async function read(job: Job, file: Package): Promise<void> {
  const notes: { kind: 'footnote' | 'endnote'; id: string }[] = []
  const around = await readAround(file, notes, job.language)
  for (const element of await margins(file, around, 'header')) job.add(element)
  const body = new Body(around)
  const source = (await file.zip.stream(file.main)) ?? Readable.from([])
  let done = 0
  const counted = async function* () {
    for await (const chunk of source) {
      job.signal.throwIfAborted()
      done += chunk.length
      job.progress(done, sizeOf(file))
      yield chunk as Uint8Array
    }
  }
  await eachNode(
    counted(),
    (path) => path.length === 3 && path[1] === 'w:body',
    (node) => body.add(node),
  )
  body.end()
  for (const { place, ...element } of body.elements)
    job.add(body.pages > 1 && place ? { ...element, place } : element)
  for (const element of await footnotes(file, around, notes)) job.add(element)
  for (const element of await comments(file, around)) job.add(element)
  for (const element of await margins(file, around, 'footer')) job.add(element)
  if (body.pages > 1) job.describe({ pages: body.pages })
  if (body.hidden > 0) job.warn({ code: 'hidden_text', values: { count: body.hidden } })
  if (body.picturesWithoutText > 0)
    job.warn({ code: 'images_without_text', values: { count: body.picturesWithoutText } })
  job.progress(sizeOf(file), sizeOf(file))
}

const sizeOf = ({ zip, main }: Package) => zip.entries.find(({ name }) => name === main)?.size ?? 1

async function readAround(
  file: Package,
  notes: { kind: string; id: string }[],
  language: Job['language'],
): Promise<Around> {
  const named = async (type: string) => {
    const [name] = await file.related(file.main, type)
    return name === undefined ? null : file.part(name)
  }
  const relations = await file.relations(file.main)
  return {
    styleOf: readStyles(await named('styles')),
    markerOf: readNumbering(await named('numbering')),
    relations,
    hidden: (text) => hiddenText(text, language),
    noteNumber: (kind, id) => {
      const at = notes.findIndex((note) => note.kind === kind && note.id === id)
      return at < 0 ? notes.push({ kind, id }) : at + 1
    },
    graphicOf: async (id) => readGraphic(await file.part(relations.get(id)?.target ?? '')),
  }
}

/** A letterhead or a legal notice is longer than this, in characters; a running title is shorter. */
const MAX_RUNNING_TITLE = 120

/**
 * The texts of page headers or footers, each once. A short one is a running title; a longer one, or one with a table, is
 * ordinary text of the document.
 */
async function margins(file: Package, around: Around, kind: 'header' | 'footer'): Promise<Element[]> {
  const type = kind === 'header' ? 'Header' : 'Footer'
  const found = new Map<string, Element[]>()
  for (const name of await file.related(file.main, kind)) {
    const body = new Body({ ...around, relations: await file.relations(name) })
    for (const node of elementsOf(await file.part(name))) await body.add(node)
    body.end()
    const text = body.elements
      .map((element) => element.text)
      .join('\n')
      .trim()
    const isText = text.length > MAX_RUNNING_TITLE || body.elements.some((one) => one.type === 'Table')
    const own = body.elements.map(({ place: _, ...one }) => ({
      ...one,
      extra: { ...one.extra, margin: kind },
    }))
    if (text) found.set(text, isText ? own : [{ type, text }])
  }
  return [...found.values()].flat()
}

async function footnotes(
  file: Package,
  around: Around,
  notes: { kind: 'footnote' | 'endnote'; id: string }[],
): Promise<Element[]> {
  const nodes = new Map<string, XmlNode>()
  for (const kind of ['footnote', 'endnote'] as const) {
    const [name] = await file.related(file.main, `${kind}s`)
    for (const node of childrenOf(name ? await file.part(name) : null, `w:${kind}`))
      nodes.set(`${kind} ${node.attributes['w:id']}`, node)
  }
  const elements: Element[] = []
  for (const [at, { kind, id }] of [...notes].entries()) {
    const body = new Body(around)
    for (const node of elementsOf(nodes.get(`${kind} ${id}`))) await body.add(node)
    const text = body.elements.map((element) => element.text).join('\n')
    const element = paragraphOf([{ text: `[${at + 1}] ${text}` }], { extra: { footnote: at + 1 } })
    if (element && text) elements.push(element)
  }
  return elements
}

/** Comments with their authors, in the order of the file. */
async function comments(file: Package, around: Around): Promise<Element[]> {
  const [name] = await file.related(file.main, 'comments')
  const elements: Element[] = []
  for (const node of childrenOf(name ? await file.part(name) : null, 'w:comment')) {
    const body = new Body(around)
    for (const child of elementsOf(node)) await body.add(child)
    body.end()
    const text = body.elements.map((element) => element.text).join('\n')
    const author = (node.attributes['w:author'] ?? '').trim()
    const element = paragraphOf([{ text: author ? `${author}: ${text}` : text }], {
      extra: { comment: true, ...(author ? { author } : {}) },
    })
    if (element && text) elements.push(element)
  }
  return elements
}
