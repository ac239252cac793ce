import { fromHtml } from 'hast-util-from-html'
import { type Chunks, readSax, type XmlNode } from './sax.ts'

/** What an element or an attribute costs beside its text, in characters: what it takes of the memory. */
const NODE = 40

/**
 * XML as a tree, as far as `characters` go; `isCut` when there is more. Names that HTML has for signs (`&nbsp;`) are known, as the
 * kinds of documents that use them declare them elsewhere. Null when it is empty.
 * @throws Unreadable when it is not well formed
 */
export async function readXmlStart(
  chunks: Chunks,
  characters: number,
): Promise<{ root: XmlNode | null; isCut: boolean }> {
  const open: XmlNode[] = []
  const found: { root: XmlNode | null } = { root: null }
  let left = characters
  const put = (child: XmlNode | string, cost: number) => {
    left -= cost
    if (left >= 0) open.at(-1)?.children.push(child)
  }
  await readSax(
    chunks,
    {
      open: (node) => {
        found.root ??= node
        put(node, costOf(node))
        open.push(node)
      },
      text: (text) => put(text, text.length),
      close: () => void open.pop(),
      pause: () => left >= 0,
    },
    signOf,
  )
  return { root: found.root, isCut: left < 0 }
}

function costOf({ attributes }: XmlNode): number {
  return Object.values(attributes).reduce((sum, value) => sum + NODE + value.length, NODE)
}

function signOf(name: string): string | undefined {
  if (!/^[a-z]\w{1,30}$/i.test(name)) return undefined
  const [child] = fromHtml(`&${name};`, { fragment: true }).children
  return child?.type === 'text' && !child.value.startsWith('&') ? child.value : undefined
}
