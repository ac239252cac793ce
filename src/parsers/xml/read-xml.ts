import { type Chunks, readSax, type XmlNode } from './sax.ts'

export type { XmlNode }

/** Told of elements around the wanted ones when they begin, before what stands in them. */
export type Entering = {
  isWanted(path: readonly string[]): boolean
  enter(node: XmlNode): void | Promise<void>
}

/**
 * Reads XML and hands out each element `isWanted` names by its path, whole, as soon as it ends; nothing else is kept. Text around the
 * wanted elements is lost. Entities a file declares itself are never expanded: they are an error.
 * @throws Unreadable when it is not well formed
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

/** A whole part as a tree; for parts that are small. Null when it is empty. */
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

/** The elements below, in order. */
export function elementsOf(node: XmlNode | undefined | null): XmlNode[] {
  return (node?.children ?? []).filter((child) => typeof child !== 'string')
}

/** The first element of that name below, one level down for each further name. */
export function childOf(node: XmlNode | undefined | null, ...names: string[]): XmlNode | undefined {
  let at = node ?? undefined
  for (const name of names) at = elementsOf(at).find((child) => child.name === name)
  return at
}

export function childrenOf(node: XmlNode | undefined | null, name: string): XmlNode[] {
  return elementsOf(node).filter((child) => child.name === name)
}

/** All elements of that name, at any depth, in order; those inside of one that was found stay out. */
export function findAll(node: XmlNode | undefined | null, name: string): XmlNode[] {
  return elementsOf(node).flatMap((child) => (child.name === name ? [child] : findAll(child, name)))
}

/** All text below, as it stands. */
export function textOf(node: XmlNode | undefined | null): string {
  return (node?.children ?? []).map((child) => (typeof child === 'string' ? child : textOf(child))).join('')
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
