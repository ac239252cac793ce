/** Fields that the product fills in. */
export const builtInFields = [
  ...(['today', 'user_name', 'language', 'selected_text', 'last_reply', 'project'] as const),
] as const
export type BuiltInField = (typeof builtInFields)[number]

export const MAX_FIELD_NAME = 40
/** A placeholder: a name in double braces, with spaces around it if wanted. */
const PLACEHOLDER = /\{\{ {0,3}([\p{L}_][\p{L}\p{M}\p{N}_-]{0,39}) {0,3}\}\}/gu
const NAME = /^[\p{L}_][\p{L}\p{M}\p{N}_-]{0,39}$/u

/** Returns whether a text can be the name of a field. */
export function isFieldName(text: string): boolean {
  return NAME.test(text) && !['__proto__', 'constructor', 'prototype'].includes(text)
}

/** Returns the names in a text's placeholders, each once and in their order. */
export function namesIn(text: string): string[] {
  return [...new Set([...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name))].filter(isFieldName)
}

/** A part of a prompt's text: plain text, or the placeholder of a field. */
export type Part = { text: string } | { name: string; written: string }

/** Splits a text at the placeholders of the known names. Other braces stay plain text. */
export function partsOf(text: string, known: ReadonlySet<string>): Part[] {
  const parts: Part[] = []
  let from = 0
  for (const { 0: written, 1: name = '', index } of text.matchAll(PLACEHOLDER)) {
    if (!known.has(name)) continue
    if (index > from) parts.push({ text: text.slice(from, index) })
    parts.push({ name, written })
    from = index + written.length
  }
  if (from < text.length) parts.push({ text: text.slice(from) })
  return parts
}

/**
 * Replaces the placeholders of the given values, once: braces in a value stay as they are. Placeholders without a value
 * stay as written.
 */
export function fillIn(text: string, values: ReadonlyMap<string, string>): string {
  return partsOf(text, new Set(values.keys()))
    .map((part) => ('text' in part ? part.text : (values.get(part.name) ?? part.written)))
    .join('')
}
