import { PRODUCT_NAME } from '#shared/identity/branding/product-name.ts'
import { parseMarkdown } from '#shared/platform/markdown/document.ts'
import type { Block } from '#shared/platform/markdown/tree.ts'
import type { Block as MessageBlock } from '#shared/runs/runs/blocks.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import { WrittenBy } from '#shared/runs/runs/view.ts'
import { MediaReference } from '#shared/tools/media/media.ts'
import type { Entry, Part } from './chat-document.ts'
import type { Notes } from './notes.ts'
import { fill, type Words } from './words.ts'

type TextBlock = Extract<MessageBlock, { type: 'text' }>

type PartOptions = {
  words: Words
  /** Whether to include steps and tools. */
  steps: boolean
  readText: (text: string) => { source: string; blocks: Block[] }
}

export type EntryOptions = Omit<PartOptions, 'readText'> & {
  notes: Notes
  person: string
  /** Name of the product for its reader; null: its own. */
  product: string | null
  /** Formats a time for display. */
  showTime: (iso: string) => string
}

/** Converts a message to an entry of the document. */
export function readEntry(message: Message, options: EntryOptions): Entry {
  options.notes.know(message)
  const time = options.showTime(message.created_at)
  if (message.role === 'user') {
    const source = cleanText(message.content).replace(/\r\n?/g, '\n')
    const text = {
      kind: 'text' as const,
      blocks: plainBlocks(source),
      source: source.replaceAll('\n', '  \n'),
    }
    return { author: options.person, time, isPerson: true, parts: [text] }
  }
  return {
    author: authorOf(message, options.product),
    time,
    isPerson: false,
    parts: partsOf(message, { ...options, readText: readNumbered(options.notes) }),
  }
}

/** Returns the name of the assistant, or else of the product, with the model. */
export function authorOf({ metadata, model_name }: Message, product: string | null): string {
  const { data: assistant } = WrittenBy.safeParse(metadata.assistant)
  const model = model_name?.split('/').at(-1)
  const name = assistant?.name ?? product ?? PRODUCT_NAME
  return cleanText(model ? `${name} (${model})` : name)
}

/** Returns the parts of a reply in order. */
export function partsOf(message: Message, options: PartOptions): Part[] {
  const parts: Part[] = []
  const hasText = message.blocks.some((block) => block.type === 'text' && block.text.trim() !== '')
  for (const block of message.blocks) {
    if (block.type === 'text') parts.push(textPart(block.text, options), ...endOf(block, options.words))
    else addQuiet(parts, block, options)
  }
  if (!hasText && message.content.trim() !== '') parts.push(textPart(message.content, options))
  if (message.status === 'streaming') parts.push({ kind: 'notice', text: options.words.streaming })
  return parts
}

const textPart = (text: string, { readText }: PartOptions): Part => ({
  kind: 'text',
  ...readText(cleanText(text)),
})

/** Returns a notice when the text is not whole. */
function endOf({ is_cut, is_filtered }: TextBlock, words: Words): Part[] {
  if (is_filtered) return [{ kind: 'notice', text: words.filtered }]
  return is_cut ? [{ kind: 'notice', text: words.cut }] : []
}

const readNumbered = (notes: Notes) => (text: string) => ({
  blocks: notes.number(parseMarkdown(text)),
  source: notes.mark(text),
})

/** Adds everything except answer text: step and tool lines, pictures made by tools, and how the reply ended. */
function addQuiet(parts: Part[], block: Exclude<MessageBlock, { type: 'text' }>, options: PartOptions): void {
  const { words, steps } = options
  if (block.type === 'error')
    parts.push({ kind: 'notice', text: fill(words.failed, { error: cleanText(block.error) }) })
  const line = steps ? lineOf(block, words) : null
  if (line !== null) {
    const last = parts.at(-1)
    if (last?.kind === 'steps') last.lines.push(cleanText(line))
    else parts.push({ kind: 'steps', lines: [cleanText(line)] })
  }
  if (block.type !== 'tool') return
  for (const { name, url, media_type } of madeBy(block.result))
    if (media_type.startsWith('image/')) parts.push({ kind: 'picture', address: url, alt: cleanText(name) })
}

function lineOf(block: MessageBlock, words: Words): string | null {
  switch (block.type) {
    case 'step': {
      const text = block.failed ? words.step_failed : words.step
      return fill(text, { number: block.number, description: block.description })
    }
    case 'tool': {
      const isLost = block.status === 'failed' || block.status === 'error'
      return fill(isLost ? words.tool_failed : words.tool, { name: block.tool_name })
    }
    case 'input_required': {
      const answer = typeof block.input === 'string' ? block.input : ''
      return fill(answer === '' ? words.asked : words.answered, { prompt: block.prompt, answer })
    }
    default:
      return null
  }
}

/** Returns the files named in a tool's result or in a list in it, up to a maximum. */
function madeBy(result: unknown): MediaReference[] {
  if (typeof result !== 'object' || result === null) return []
  const values = Object.values(result).flatMap((value) => (Array.isArray(value) ? value : [value]))
  return values.flatMap((value) => MediaReference.safeParse(value).data ?? []).slice(0, PICTURES_OF_A_TOOL)
}
const PICTURES_OF_A_TOOL = 20

/** Converts a user's text line by line; it is not Markdown. */
function plainBlocks(content: string): Block[] {
  return content
    .split('\n\n')
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => ({
      type: 'paragraph',
      children: paragraph
        .split('\n')
        .flatMap((line, at) => [
          ...(at === 0 ? [] : [{ type: 'break' as const }]),
          { type: 'text' as const, text: line },
        ]),
    }))
}

/** Removes characters that XML does not allow. */
export const cleanText = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes them
  text.toWellFormed().replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
