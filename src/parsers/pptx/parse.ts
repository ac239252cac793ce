import { paragraphOf } from '../elements/elements.ts'
import type { Job } from '../elements/port.ts'
import { packageReader } from '../ooxml/open-package.ts'
import type { Package } from '../ooxml/package.ts'
import { childOf, childrenOf } from '../xml/read-xml.ts'
import { shapesOf } from './shapes.ts'
import { type Base, readComments, readNotes, readSlide } from './slide.ts'

/** English metric units in a point. */
const EMU = 12_700

/** Reads a presentation: each slide is a page, followed by its notes and comments. */
export const parse = packageReader(read)

async function read(job: Job, file: Package): Promise<void> {
  const root = await file.part(file.main)
  const relations = await file.relations(file.main)
  const { cx, cy } = childOf(root, 'p:sldSz')?.attributes ?? {}
  const size = { width: Number(cx ?? 9_144_000), height: Number(cy ?? 6_858_000) }
  const all = childrenOf(childOf(root, 'p:sldIdLst'), 'p:sldId').flatMap(({ attributes }) => {
    const relation = relations.get(attributes['r:id'] ?? '')
    return relation ? [relation.target] : []
  })
  const parts = all.slice(0, job.limits.pages)
  if (parts.length < all.length)
    job.warn({ code: 'pages_skipped', values: { count: all.length - parts.length } })
  const bases = new Map<string, Base>()
  let picturesWithoutText = 0
  for (const [at, part] of parts.entries()) {
    job.signal.throwIfAborted()
    const number = at + 1
    job.page({ number, width: size.width / EMU, height: size.height / EMU })
    const slide = await readSlide(file, { part, number }, size, await baseOfSlide(file, part, bases))
    picturesWithoutText += slide.picturesWithoutText
    for (const element of slide.elements) job.add(element)
    const notes = await readNotes(file, part)
    for (const [text, kind] of [
      ...(await readComments(file, part)).map((one) => [one, 'comment'] as const),
      [notes, 'notes'] as const,
    ]) {
      const element = paragraphOf([{ text }], { place: { page: number }, extra: { [kind]: true } })
      if (element) job.add(element)
    }
    job.progress(number, parts.length)
  }
  if (picturesWithoutText > 0)
    job.warn({ code: 'images_without_text', values: { count: picturesWithoutText } })
  job.describe({ pages: parts.length })
}

async function baseOfSlide(file: Package, part: string, known: Map<string, Base>): Promise<Base> {
  const [layout = ''] = await file.related(part, 'slideLayout')
  const found = known.get(layout)
  if (found) return found
  const [master = ''] = layout ? await file.related(layout, 'slideMaster') : []
  const [layoutRoot, masterRoot] = [await file.part(layout), await file.part(master)]
  const base = {
    layout: shapesOf(childOf(layoutRoot, 'p:cSld', 'p:spTree')),
    master: shapesOf(childOf(masterRoot, 'p:cSld', 'p:spTree')),
    styles: childOf(masterRoot, 'p:txStyles'),
  }
  known.set(layout, base)
  return base
}
