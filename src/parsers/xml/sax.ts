import { SaxesParser } from 'saxes'
import { Unreadable } from '../elements/port.ts'
import { canonicalPrefixes } from './namespaces.ts'

/** An XML element. Names have the usual prefix of their namespace (`w:p`), whatever prefix the file uses. */
export type XmlNode = { name: string; attributes: Record<string, string>; children: (XmlNode | string)[] }
export type Chunks = AsyncIterable<Uint8Array>

/** Callbacks for the parts of XML as they arrive. `path` has the names of the surrounding elements and of the element itself. */
export type Handlers = {
  open(node: XmlNode, path: readonly string[]): void
  text(text: string): void
  close(path: readonly string[]): void
  /** Called after each chunk; returns whether more of the file is wanted. */
  pause(): boolean | Promise<boolean>
}

/** XML nested deeper is made to exhaust a parser. */
const MAX_DEPTH = 300

/**
 * Parses XML as a stream. Entities declared by the file are never expanded: they are an error, and so is every name that
 * `entityOf` does not know.
 * @throws Unreadable if it is malformed
 */
export async function readSax(
  chunks: Chunks,
  { open, text, close, pause }: Handlers,
  entityOf?: (name: string) => string | undefined,
): Promise<void> {
  const parser = new SaxesParser()
  const rename = renamer()
  const path: string[] = []
  if (entityOf) parser.ENTITIES = withMore(parser.ENTITIES, entityOf)
  parser.on('opentag', ({ name, attributes }) => {
    const node = rename(name, attributes)
    path.push(node.name)
    if (path.length > MAX_DEPTH) throw new Unreadable('damaged', {}, { cause: new Error('nested too deep') })
    open(node, path)
  })
  parser.on('closetag', () => {
    close(path)
    path.pop()
  })
  parser.on('text', text)
  parser.on('cdata', text)
  parser.on('error', (error) => {
    throw new Unreadable('damaged', {}, { cause: error })
  })
  for await (const some of decoded(chunks)) {
    parser.write(some)
    if (!(await pause())) return
  }
  parser.close()
  await pause()
}

function withMore(
  own: Record<string, string>,
  entityOf: (name: string) => string | undefined,
): Record<string, string> {
  return new Proxy(own, { get: (known, name: string) => known[name] ?? entityOf(name) })
}

/** Names with canonical prefixes: files may use any prefix for a namespace. */
function renamer(): (name: string, attributes: Record<string, string>) => XmlNode {
  const prefixes = new Map<string, string>()
  const renamed = (name: string, isAttribute: boolean) => {
    const colon = name.indexOf(':')
    if (colon < 0 && isAttribute) return name
    const prefix = prefixes.get(colon < 0 ? '' : name.slice(0, colon))
    if (prefix === undefined) return name
    return prefix === '' ? name.slice(colon + 1) : `${prefix}:${name.slice(colon + 1)}`
  }
  return (name, attributes) => {
    const clean: Record<string, string> = {}
    for (const [key, value] of Object.entries(attributes)) {
      if (key !== 'xmlns' && !key.startsWith('xmlns:')) continue
      const known = canonicalPrefixes.get(value)
      if (known !== undefined) prefixes.set(key.slice(6), known)
      else prefixes.delete(key.slice(6))
    }
    for (const [key, value] of Object.entries(attributes)) clean[renamed(key, true)] = value
    return { name: renamed(name, false), attributes: clean, children: [] }
  }
}

async function* decoded(chunks: Chunks): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | null = null
  for await (const chunk of chunks) {
    decoder ??= new TextDecoder(encodingOf(chunk))
    yield decoder.decode(chunk, { stream: true })
  }
  if (decoder) yield decoder.decode()
}

function encodingOf(head: Uint8Array): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  const declared = /^<\?xml[^>]*encoding=["']([\w-]+)["']/.exec(
    Buffer.from(head.subarray(0, 200)).toString('latin1'),
  )
  try {
    return new TextDecoder(declared?.[1] ?? 'utf-8').encoding
  } catch {
    return 'utf-8'
  }
}
