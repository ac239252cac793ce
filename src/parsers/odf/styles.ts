import type { Run } from '../elements/runs.ts'
import { childOf, childrenOf, elementsOf, type XmlNode } from '../xml/read-xml.ts'

export type Look = Omit<Run, 'text'>
export type Styles = {
  /** The look of text in a style. */
  lookOf(name: string | undefined): Look
  /** Whether an item at a depth of a list is numbered. */
  isNumbered(list: string | undefined, depth: number): boolean
  /** Names of the styles that hide sheets. */
  hidden: Set<string>
}

/** The styles of an OpenDocument file, from its content and its styles; later ones take precedence. */
export function readStyles(roots: (XmlNode | null)[]): Styles {
  const nodes = roots.flatMap((root) => [
    ...elementsOf(childOf(root, 'office:styles')),
    ...elementsOf(childOf(root, 'office:automatic-styles')),
  ])
  const styles = new Map(
    nodes
      .filter(({ name }) => name === 'style:style')
      .map((node) => [node.attributes['style:name'] ?? '', node]),
  )
  const lists = new Map(
    nodes
      .filter(({ name }) => name === 'text:list-style')
      .map((node) => [node.attributes['style:name'] ?? '', node]),
  )
  const lookOf = (name: string | undefined, depth = 0): Look => {
    const node = name === undefined ? undefined : styles.get(name)
    if (!node || depth > 20) return {}
    return { ...lookOf(node.attributes['style:parent-style-name'], depth + 1), ...ownLook(node) }
  }
  return {
    lookOf,
    isNumbered: (list, depth) =>
      childrenOf(lists.get(list ?? ''), 'text:list-level-style-number').some(
        ({ attributes }) =>
          Number(attributes['text:level']) === depth + 1 && !!attributes['style:num-format'],
      ),
    hidden: new Set(
      [...styles]
        .filter(
          ([, node]) => childOf(node, 'style:table-properties')?.attributes['table:display'] === 'false',
        )
        .map(([name]) => name),
    ),
  }
}

function ownLook(node: XmlNode): Look {
  const text = childOf(node, 'style:text-properties')?.attributes ?? {}
  const look: Look = {}
  const weight = text['fo:font-weight']
  if (weight !== undefined) look.bold = weight === 'bold' || Number(weight) >= 600
  if (text['fo:font-style'] !== undefined) look.italic = text['fo:font-style'] !== 'normal'
  const line = text['style:text-line-through-style']
  if (line !== undefined) look.struck = line !== 'none'
  return look
}
