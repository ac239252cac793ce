import { paragraphOf, titleOf } from '../elements/elements.ts'
import type { Box, Element, Job } from '../elements/port.ts'
import { childOf, childrenOf, elementsOf, findAll, type XmlNode } from '../xml/read-xml.ts'
import { readFrame } from './blocks.ts'
import { linesOf } from './inline.ts'
import type { Styles } from './styles.ts'

/** Reads the slides of a presentation; each is a page. */
export function readSlides(
  job: Job,
  presentation: XmlNode | undefined,
  styleRoot: XmlNode | null,
  styles: Styles,
): void {
  const all = childrenOf(presentation, 'draw:page')
  const slides = all.slice(0, job.limits.pages)
  const size = sizeOf(styleRoot)
  if (slides.length < all.length)
    job.warn({ code: 'pages_skipped', values: { count: all.length - slides.length } })
  slides.forEach((slide, at) => {
    const number = at + 1
    job.page({ number, ...size })
    const frames = elementsOf(slide).filter(({ name }) => name.startsWith('draw:'))
    const isTitle = ({ attributes }: XmlNode) => attributes['presentation:class'] === 'title'
    for (const frame of [...frames.filter(isTitle), ...frames.filter((one) => !isTitle(one))]) {
      const box = boxOf(frame, size)
      const place = box ? { boxes: [{ page: number, box }] } : { page: number }
      for (const element of elementsIn(frame, isTitle(frame), styles)) job.add({ ...element, place })
    }
    const said = linesOf(
      childOf(slide, 'presentation:notes') ?? { name: '', attributes: {}, children: [] },
      styles,
    )
    const notes = paragraphOf([{ text: said }], { place: { page: number }, extra: { notes: true } })
    if (notes) job.add(notes)
    job.progress(number, slides.length)
  })
  job.describe({ pages: slides.length })
}

function elementsIn(frame: XmlNode, isTitle: boolean, styles: Styles): Element[] {
  if (!isTitle) return readFrame(frame, styles)
  const title = titleOf([{ text: linesOf(frame, styles).replaceAll('\n', ' ') }], 1)
  return title ? [title] : []
}

function sizeOf(styleRoot: XmlNode | null): { width: number; height: number } {
  for (const { attributes } of findAll(styleRoot, 'style:page-layout-properties')) {
    const [width, height] = [points(attributes['fo:page-width']), points(attributes['fo:page-height'])]
    if (width && height && width > height) return { width, height }
  }
  return { width: 720, height: 540 }
}

function boxOf({ attributes }: XmlNode, { width, height }: { width: number; height: number }): Box | null {
  const [x, y, w, h] = ['svg:x', 'svg:y', 'svg:width', 'svg:height'].map((name) => points(attributes[name]))
  if (x === null || y === null || !w || !h || x === undefined || y === undefined) return null
  const share = (value: number) => Math.min(1, Math.max(0, value))
  return [share(x / width), share(y / height), share((x + w) / width), share((y + h) / height)]
}

function points(length: string | undefined): number | null {
  const [, number, unit = 'pt'] = /^(-?[\d.]+)(cm|mm|in|pt)$/.exec(length ?? '') ?? []
  if (number === undefined) return null
  return Number(number) * ({ cm: 28.3465, mm: 2.83465, in: 72, pt: 1 }[unit] ?? 1)
}
