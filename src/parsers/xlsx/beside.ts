import { paragraphOf } from '../elements/elements.ts'
import type { Element } from '../elements/port.ts'
import { readGraphic } from '../ooxml/graphics.ts'
import type { Package } from '../ooxml/package.ts'
import { childOf, findAll, textOf } from '../xml/read-xml.ts'
import { richText, type SheetEntry } from './workbook.ts'

/** The objects over the cells of a sheet: charts, diagrams, text boxes, cell notes. */
export async function readBeside(file: Package, { part, name, isChart }: SheetEntry): Promise<Element[]> {
  const elements: (Element | null)[] = []
  for (const drawing of await file.related(part, 'drawing')) {
    const root = await file.part(drawing)
    for (const shape of findAll(root, 'xdr:txBody'))
      elements.push(
        paragraphOf([
          {
            text: findAll(shape, 'a:p')
              .map((one) => findAll(one, 'a:t').map(textOf).join(''))
              .join('\n'),
          },
        ]),
      )
    for (const type of ['chart', 'diagramData'])
      for (const graphic of await file.related(drawing, type))
        elements.push(...readGraphic(await file.part(graphic)))
  }
  if (!isChart) elements.push(...(await readNotes(file, part)))
  return elements
    .filter((one) => one !== null)
    .map((one) => ({ ...one, place: { sheet: name, ...one.place } }))
}

async function readNotes(file: Package, part: string): Promise<(Element | null)[]> {
  const threads = await file.related(part, 'threadedComment')
  if (threads.length > 0) {
    const roots = await Promise.all(threads.map(file.part))
    return roots.flatMap((root) =>
      findAll(root, 'threadedComment').map((one) =>
        paragraphOf([{ text: textOf(childOf(one, 'text')) }], { place: { range: one.attributes.ref ?? '' } }),
      ),
    )
  }
  const roots = await Promise.all((await file.related(part, 'comments')).map(file.part))
  return roots.flatMap((root) =>
    findAll(root, 'comment').map((one) => {
      const text = richText(childOf(one, 'text') ?? one)
      return paragraphOf([{ text }], { place: { range: one.attributes.ref ?? '' } })
    }),
  )
}
