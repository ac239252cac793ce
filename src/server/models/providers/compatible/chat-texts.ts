import type { ModelPart } from '../../models/port.ts'

type Item = Partial<Record<'type' | 'text' | 'thinking' | 'content' | 'summary' | 'value', unknown>>

/** Returns the text in a value of any known form: a text, an object with one, or a list of these. */
export function textIn(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.map(textIn).join('')
  if (typeof value !== 'object' || value === null) return ''
  const { text, thinking, content, summary, value: inner }: Item = value
  return textIn(text ?? thinking ?? content ?? summary ?? inner)
}

/** Returns the parts of an answer's content. Mistral sends lists of text and thoughts. */
export function contentParts(content: unknown): ModelPart[] {
  if (typeof content === 'string') return content ? [{ type: 'text', text: content }] : []
  const items: unknown[] = Array.isArray(content) ? content : [content]
  return items.flatMap((item): ModelPart[] => {
    const text = textIn(item)
    if (text === '') return []
    return [{ type: isThought(item) ? 'reasoning' : 'text', text }]
  })
}

const isThought = (item: unknown) =>
  typeof item === 'object' &&
  item !== null &&
  ['thinking', 'reasoning'].includes(String((item satisfies object as Item).type))
