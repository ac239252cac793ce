import { type Chunks, readSax, type XmlNode } from './sax.ts'

export type { XmlNode }

/** Called at the beginning of the elements around the wanted ones, before their content. */
export type Entering = {
  isWanted(path: readonly string[]): boolean
  enter(node: XmlNode): void | Promise<void>
}

/**
 * Reads XML and emits each element that `isWanted` accepts by its path, complete, as soon as it ends; nothing else is
 * stored. Text around the wanted elements is lost. Entities declared by the file are never expanded: they are an error.
 * @throws Unreadable if it is malformed
 */
export async function eachNode(
  chunks: Chunks,
  isWanted: (path: readonly string[]) => boolean,
  take: (node: XmlNode, path: readonly string[]) => void | Promise<void>,
  around?: Entering,
): Promise<void> {
  const open: XmlNode[] = []
  const done: (() => void | Promise<void>)[] = []
  await readSax(chunks, {
    open: (node, path) => {
      const parent = open.at(-1)
      if (parent) parent.children.push(node)
      if (parent || isWanted(path)) open.push(node)
      else if (around?.isWanted(path)) done.push(() => around.enter(node))
    },
    text: (text) => void open.at(-1)?.children.push(text),
    close: (path) => {
      const node = open.pop()
      if (!node || open.length > 0) return
      const own = [...path]
      done.push(() => take(node, own))
    },
    pause: async () => {
      for (const call of done) await call()
      done.length = 0
      return true
    },
  })
}

/** A small part, parsed as a tree. Null if it is empty. */
export async function readXml(bytes: Uint8Array): Promise<XmlNode | null> {
  let root: XmlNode | null = null
  await eachNode(
    once(bytes),
    (path) => path.length === 1,
    (node) => {
      root = node
    },
  )
  return root
}

/** The child elements, in order. */
export function elementsOf(node: XmlNode | undefined | null): XmlNode[] {
  return (node?.children ?? []).filter((child) => typeof child !== 'string')
}

/** The first child element of that name, one level deeper for each further name. */
export function childOf(node: XmlNode | undefined | null, ...names: string[]): XmlNode | undefined {
  let at = node ?? undefined
  for (const name of names) at = elementsOf(at).find((child) => child.name === name)
  return at
}

export function childrenOf(node: XmlNode | undefined | null, name: string): XmlNode[] {
  return elementsOf(node).filter((child) => child.name === name)
}

/** All descendants of that name, at any depth, in order; those inside a match are left out. */
export function findAll(node: XmlNode | undefined | null, name: string): XmlNode[] {
  return elementsOf(node).flatMap((child) => (child.name === name ? [child] : findAll(child, name)))
}

/** All text below an element, unchanged. */
export function textOf(node: XmlNode | undefined | null): string {
  return (node?.children ?? []).map((child) => (typeof child === 'string' ? child : textOf(child))).join('')
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
