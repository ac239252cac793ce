import type { Run } from '../elements/runs.ts'
import { texOf } from '../ooxml/math.ts'
import type { Relation } from '../ooxml/package.ts'
import { childOf, childrenOf, elementsOf, findAll, textOf, type XmlNode } from '../xml/read-xml.ts'

/** A paragraph of a drawing. `marker` is null for one without a bullet. */
export type DrawnParagraph = { runs: Run[]; depth: number; marker: string | null }

/** `styles` are the list styles that define its bullets, the nearest first. */
export function readParagraphs(
  body: XmlNode | undefined,
  styles: (XmlNode | undefined)[],
  relations: Map<string, Relation>,
): DrawnParagraph[] {
  const counts: number[] = []
  return childrenOf(body, 'a:p').map((node) => {
    const properties = childOf(node, 'a:pPr')
    const depth = Math.min(8, Number(properties?.attributes.lvl ?? 0))
    const chain = [properties, ...styles.map((style) => childOf(style, `a:lvl${depth + 1}pPr`))]
    const bullet = chain.map(bulletIn).find((found) => found !== undefined)
    const runs = readRuns(node, relations)
    const isEmpty = runs.every(({ text }) => !text.trim())
    if (bullet?.name !== 'a:buAutoNum' || isEmpty) {
      if (!isEmpty) counts.length = Math.min(counts.length, bullet ? depth : 0)
      const isBullet = bullet && bullet.name !== 'a:buNone'
      return { runs, depth, marker: isBullet ? '-' : null }
    }
    counts.length = Math.min(counts.length, depth + 1)
    counts[depth] = (counts[depth] ?? Number(bullet.attributes.startAt ?? 1) - 1) + 1
    return { runs, depth, marker: `${counts[depth]}.` }
  })
}

function bulletIn(properties: XmlNode | undefined): XmlNode | undefined {
  return elementsOf(properties).find(({ name }) => /^a:bu(None|Char|AutoNum|Blip)$/.test(name))
}

function readRuns(paragraph: XmlNode, relations: Map<string, Relation>): Run[] {
  return elementsOf(paragraph).flatMap((node): Run[] => {
    if (node.name === 'a:br') return [{ text: '\n' }]
    if (node.name === 'mc:AlternateContent' || /^\w+:m$/.test(node.name))
      return findAll(node, 'm:oMath').map((formula) => ({ text: texOf(formula), isFormula: true }))
    if (node.name !== 'a:r' && node.name !== 'a:fld') return []
    const { b, i, strike } = childOf(node, 'a:rPr')?.attributes ?? {}
    const link = relations.get(childOf(node, 'a:rPr', 'a:hlinkClick')?.attributes['r:id'] ?? '')
    return [
      {
        text: textOf(childOf(node, 'a:t')).replaceAll('\v', '\n'),
        ...(/^(1|true)$/.test(b ?? '') && { bold: true }),
        ...(/^(1|true)$/.test(i ?? '') && { italic: true }),
        ...(/Strike$/.test(strike ?? '') && { struck: true }),
        ...(link?.isExternal && /^(https?|mailto):/i.test(link.target) && { link: link.target }),
      },
    ]
  })
}
