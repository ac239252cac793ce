import type { Run } from '../elements/runs.ts'
import { childOf, childrenOf, type XmlNode } from '../xml/read-xml.ts'

export type Look = Omit<Run, 'text'>
export type Style = {
  name: string
  /** 1 to 9 for a heading, null for text. */
  level: number | null
  /** The list it makes a paragraph an item of. */
  list: { id: string; depth: number } | null
  look: Look
  isCode: boolean
}

const plain: Style = { name: '', level: null, list: null, look: {}, isCode: false }

/** The styles of a document by their ids, each with what it takes from those it is based on. */
export function readStyles(root: XmlNode | null): (id: string | undefined) => Style {
  const nodes = new Map(childrenOf(root, 'w:style').map((node) => [node.attributes['w:styleId'] ?? '', node]))
  const known = new Map<string, Style>()
  const resolve = (id: string | undefined, depth: number): Style => {
    const node = id === undefined ? undefined : nodes.get(id)
    if (id === undefined || !node || depth > 20) return plain
    const found = known.get(id)
    if (found) return found
    const base = resolve(setting(childOf(node, 'w:basedOn')), depth + 1)
    const style = styleOf(node, base)
    known.set(id, style)
    return style
  }
  return (id) => resolve(id, 0)
}

function styleOf(node: XmlNode, base: Style): Style {
  const name = setting(childOf(node, 'w:name')) ?? ''
  const properties = childOf(node, 'w:pPr')
  const own = levelOf(properties)
  const named = /^(?:heading|überschrift|titre|título|titolo)\s*([1-9])$/i.exec(name)?.[1]
  // LibreOffice gives the title of an old file the name of the style that all its headings are based on.
  const isTitle = /^(title|heading)$/i.test(name)
  const inherited = /^heading$/i.test(base.name) ? null : base.level
  const level = isTitle ? 1 : own !== undefined ? own : named ? Number(named) + 1 : inherited
  return {
    name,
    level,
    list: listOf(properties, base.list) ?? null,
    look: { ...base.look, ...lookOf(childOf(node, 'w:rPr')) },
    isCode: base.isCode || /(^|\s)(source\s?code|code|preformatted|verbatim|macro text)(\s|$)/i.test(name),
  }
}

/**
 * The level a paragraph's properties say: a number from 2, null for text, undefined when they say nothing. Level 1 is the title of the
 * document: a "Heading 1" names a section of it.
 */
export function levelOf(properties: XmlNode | undefined): number | null | undefined {
  const value = setting(childOf(properties, 'w:outlineLvl'))
  if (value === undefined) return undefined
  const depth = Number(value)
  return depth >= 0 && depth <= 8 ? depth + 2 : null
}

/** The list a paragraph's properties say; `0` takes it out of the one of its style. */
export function listOf(properties: XmlNode | undefined, inherited: Style['list']): Style['list'] {
  const numbering = childOf(properties, 'w:numPr')
  if (!numbering) return inherited
  const id = setting(childOf(numbering, 'w:numId')) ?? inherited?.id
  const depth = Number(setting(childOf(numbering, 'w:ilvl')) ?? inherited?.depth ?? 0)
  return id === undefined || id === '0' ? null : { id, depth }
}

export function lookOf(properties: XmlNode | undefined): Look {
  const look: Look = {}
  const toggle = (name: string) => {
    const node = childOf(properties, name)
    return node && !/^(0|false|off|none)$/.test(setting(node) ?? '1')
  }
  for (const [name, key] of [
    ['w:b', 'bold'],
    ['w:i', 'italic'],
    ['w:strike', 'struck'],
  ] as const) {
    const set = toggle(name)
    if (set !== undefined) look[key] = set
  }
  const font = childOf(properties, 'w:rFonts')?.attributes['w:ascii']
  if (font !== undefined)
    look.code = /courier|consolas|monaco|menlo|lucida console|source code|mono\b|fixed/i.test(font)
  return look
}

export function isHidden(properties: XmlNode | undefined): boolean {
  // Half points: letters smaller than a point and a half are read by programs only.
  if (Number(setting(childOf(properties, 'w:sz')) ?? 24) < 3) return true
  const node = childOf(properties, 'w:vanish')
  return node !== undefined && !/^(0|false|off)$/.test(setting(node) ?? '1')
}

export function setting(node: XmlNode | undefined): string | undefined {
  return node?.attributes['w:val']
}
