import { fromHtml } from 'hast-util-from-html'
import { type Chunks, readSax, type XmlNode } from './sax.ts'

/** The cost of an element or attribute in addition to its text, in characters of memory. */
const NODE = 40

/**
 * XML as a tree, up to `characters`; `isCut` if there is more. HTML's entities (`&nbsp;`) are known, because the document
 * types that use them declare them externally. Null if it is empty.
 * @throws Unreadable if it is malformed
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
