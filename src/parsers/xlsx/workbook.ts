import type { Package } from '../ooxml/package.ts'
import { formatCode } from '../sheets/number-format.ts'
import { childOf, childrenOf, eachNode, findAll, textOf, type XmlNode } from '../xml/read-xml.ts'

export type SheetEntry = { name: string; isHidden: boolean; part: string; isChart: boolean }
export type Workbook = {
  sheets: SheetEntry[]
  is1904: boolean
  strings: string[]
  /** Codes of the number formats, by cell style. */
  formats: string[]
}

export async function readWorkbook(file: Package): Promise<Workbook> {
  const root = await file.part(file.main)
  const relations = await file.relations(file.main)
  const sheets = childrenOf(childOf(root, 'sheets'), 'sheet').flatMap(({ attributes }) => {
    const relation = relations.get(attributes['r:id'] ?? '')
    if (!relation) return []
    const isHidden = attributes.state === 'hidden' || attributes.state === 'veryHidden'
    return [
      {
        name: attributes.name ?? '',
        isHidden,
        part: relation.target,
        isChart: relation.type === 'chartsheet',
      },
    ]
  })
  const [styles] = await file.related(file.main, 'styles')
  const [strings] = await file.related(file.main, 'sharedStrings')
  return {
    sheets,
    is1904: /^(1|true)$/.test(childOf(root, 'workbookPr')?.attributes.date1904 ?? ''),
    strings: strings ? await readStrings(file, strings) : [],
    formats: styles ? readFormats(await file.part(styles)) : [],
  }
}

async function readStrings(file: Package, part: string): Promise<string[]> {
  const strings: string[] = []
  const source = await file.zip.stream(part)
  if (!source) return strings
  await eachNode(
    source,
    (path) => path.length === 2 && path[1] === 'si',
    (node) => void strings.push(richText(node)),
  )
  return strings
}

/** The text of runs, without the phonetic hints of Asian scripts. */
export function richText(node: XmlNode): string {
  const own = childrenOf(node, 't').map(textOf).join('')
  return (
    own +
    childrenOf(node, 'r')
      .flatMap((run) => childrenOf(run, 't').map(textOf))
      .join('')
  )
}

function readFormats(root: XmlNode | null): string[] {
  const own = new Map(
    findAll(childOf(root, 'numFmts'), 'numFmt').map(({ attributes }) => [
      Number(attributes.numFmtId),
      attributes.formatCode ?? 'General',
    ]),
  )
  return childrenOf(childOf(root, 'cellXfs'), 'xf').map(({ attributes }) =>
    formatCode(Number(attributes.numFmtId ?? 0), own),
  )
}
