import type { Inline } from './tree.ts'

type Part = Inline | { type: 'tag'; source: string }

/** Safe tags that models write because Markdown has no equivalent. */
const plain = new Set(['kbd', 'sub', 'sup'])

/**
 * Pairs tags into nodes: `<kbd>`, `<sub>` and `<sup>` without attributes, and `custom` names with attributes.
 * `<br>` becomes a line break. All other tags and unpaired tags stay text.
 */
export function foldTags(parts: Part[], custom: readonly string[]): Inline[] {
  const folded = parts.some((part) => part.type === 'tag') ? foldLevel(parts, custom) : (parts as Inline[])
  return mergeText(folded)
}

function foldLevel(parts: Part[], custom: readonly string[]): Inline[] {
  const out: Inline[] = []
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at]!
    if (part.type !== 'tag') {
      out.push(part)
      continue
    }
    if (/^<br\s*\/?>$/i.test(part.source)) {
      out.push({ type: 'break' })
      continue
    }
    const opening = readOpening(part.source, custom)
    const end = opening ? findClosing(parts, at + 1, opening.name) : -1
    if (!opening || end < 0) {
      out.push({ type: 'text', text: part.source })
      continue
    }
    const children = mergeText(foldLevel(parts.slice(at + 1, end), custom))
    out.push(
      plain.has(opening.name)
        ? { type: opening.name as 'kbd' | 'sub' | 'sup', children }
        : { type: 'custom', name: opening.name, attributes: opening.attributes, children },
    )
    at = end
  }
  return out
}

function readOpening(source: string, custom: readonly string[]) {
  const match = /^<([a-z][a-z0-9-]*)((?:\s[^>]*)?)>$/.exec(source)
  const name = match?.[1]
  if (!name) return null
  if (plain.has(name)) return match[2] === '' ? { name, attributes: {} } : null
  if (!custom.includes(name)) return null
  const attributes: Record<string, string> = {}
  for (const [, key, value] of match[2]!.matchAll(/(?<![a-z0-9_-])([a-z][a-z0-9_-]*)="([^"]*)"/g))
    attributes[key!] = value!
  return { name, attributes }
}

function findClosing(parts: Part[], from: number, name: string): number {
  return parts.findIndex((part, at) => at >= from && part.type === 'tag' && part.source === `</${name}>`)
}

/** Merges adjacent text nodes. */
function mergeText(nodes: Inline[]): Inline[] {
  const out: Inline[] = []
  for (const node of nodes) {
    const last = out[out.length - 1]
    if (node.type === 'text' && last?.type === 'text')
      out[out.length - 1] = { type: 'text', text: last.text + node.text }
    else out.push(node)
  }
  return out
}
