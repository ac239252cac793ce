import { findCitations, replaceCitations } from '#shared/platform/citations/citation-tags.ts'
import { Block } from '#shared/runs/runs/blocks.ts'
import { WrittenBy } from '#shared/runs/runs/view.ts'
import { Damage } from '../archive/damage.ts'
import type {
  ElementReader,
  ForeignAssistant,
  ForeignChat,
  ForeignDocument,
  ForeignFile,
  ForeignMessage,
  ForeignPrompt,
  Shelf,
} from './foreign.ts'
import { asId, asList, asName, asObject, asObjects, asText, asTime } from './read-values.ts'
import { MAX_MESSAGES } from './tidy-tree.ts'

type Fields = Record<string, unknown>

/** Reads a chat of our own archive, with every branch as it was. */
export const atriumChat: ElementReader = {
  format: 'atrium',
  recognizes: (value) => value.format === 'atrium-chat',
  read: (value, shelf): ForeignChat | null => {
    const id = asId(value.id)
    if (id === null) throw new Damage('damaged')
    const messages = asObjects(value.messages)
    if (messages.length === 0) return null
    if (messages.length > MAX_MESSAGES) throw new Damage('too_many')
    return {
      ...{ kind: 'chat', id, title: asText(value.title), isArchived: value.is_archived === true },
      ...{ tags: asList(value.tags).flatMap((tag) => asName(tag) ?? []) },
      ...{ at: asTime(value.created_at), changed: asTime(value.updated_at), leaf: asId(value.active_leaf) },
      messages: parentsFirst(messages.map((message) => readMessage(message, shelf))),
    }
  },
}

export const atriumAssistant: ElementReader = {
  format: 'atrium',
  recognizes: (value) => 'system_prompt' in value && 'example_prompts' in value,
  read: (value, shelf): ForeignAssistant => {
    const [id, name] = [asId(value.id), asName(value.name)]
    if (id === null || name === null) throw new Damage('damaged')
    return {
      ...{ kind: 'assistant', id, name, description: asText(value.description) },
      instructions: asText(value.system_prompt),
      examples: asList(value.example_prompts).flatMap((one) => asName(one) ?? []),
      temperature: typeof value.temperature === 'number' ? value.temperature : null,
      files: asList(value.documents).flatMap((one) => documentFile(one, null, shelf)),
    }
  },
}

export const atriumPrompt: ElementReader = {
  format: 'atrium',
  recognizes: (value) => 'command' in value && 'text' in value && Array.isArray(value.fields),
  read: (value): ForeignPrompt => {
    const [id, name, command] = [asId(value.id), asName(value.name), asName(value.command)]
    if (id === null || name === null || command === null) throw new Damage('damaged')
    return { kind: 'prompt', id, name, command, text: asText(value.text), fields: value.fields }
  },
}

export const atriumDocument: ElementReader = {
  format: 'atrium',
  recognizes: (value) => 'reading_id' in value && 'extension' in value,
  read: (value, shelf): ForeignDocument | null => {
    // Files inside of a document are found again when it is read.
    if (asId(value.parent_id) !== null) return null
    const [file] = documentFile(value.id, asName(value.name), shelf)
    if (!file) throw new Damage('damaged')
    return { kind: 'document', file, tags: asList(value.tags).flatMap((tag) => asName(tag) ?? []) }
  },
}

function documentFile(named: unknown, name: string | null, shelf: Shelf): ForeignFile[] {
  const id = asId(named)
  if (id === null) return []
  const member = shelf.findDocument(id)
  const shown = name ?? member?.split('/').at(-1) ?? id
  return [{ id: `document/${id}`, name: shown, content: member ? { from: 'member', name: member } : null }]
}

function readMessage(message: Fields, shelf: Shelf): ForeignMessage {
  const id = asId(message.id)
  const role = message.role === 'user' ? 'user' : 'assistant'
  if (id === null) throw new Damage('damaged')
  const original = asObject(message.original) ?? {}
  const metadata = asObject(original.metadata) ?? {}
  const files = asObjects(metadata.files).flatMap((file) =>
    documentFile(file.document_id, asName(file.name), shelf),
  )
  const text = withoutPassages(asText(original.content) || asText(message.content))
  const blocks = asObjects(message.blocks)
    .map(blockOf)
    .filter((block) => block !== null)
  return {
    ...{ id, parent: asId(message.parent_id), role, text, files, sources: [] },
    ...{ model: asName(message.model_name), at: asTime(message.created_at) },
    ...(role === 'assistant' && blocks.length > 0 && { blocks }),
    isModified: original.is_modified === true,
    isFailed: message.status === 'error',
    agent: asName(original.agent_type),
    writtenBy: WrittenBy.safeParse(metadata.assistant).data ?? null,
  }
}

/**
 * Returns a block of a reply; null for a pause and a position, because only a run with a journal returns to them. Passages get new ids
 * when their document is read again, so their markers become numbers.
 */
function blockOf(found: Fields): Fields | null {
  const { data: block } = Block.safeParse(found)
  if (!block || block.type === 'paused' || block.type === 'checkpoint') return null
  if (block.type === 'input_required' && block.state === 'waiting') return { ...block, state: 'closed' }
  if (block.type === 'thinking') return { ...block, text: withoutPassages(block.text) }
  if (block.type !== 'text') return block
  const { sources, doubts: _, ...rest } = block
  const pages = (sources ?? []).filter(({ passage }) => passage === undefined)
  return { ...rest, text: withoutPassages(rest.text), ...(pages.length > 0 && { sources: pages }) }
}

function withoutPassages(text: string): string {
  const numbers = new Map(findCitations(text).map(({ chunk_id, number }) => [chunk_id, number]))
  return replaceCitations(text, (id) => `[${numbers.get(id)}]`)
}

/** @throws Damage `loop` */
function parentsFirst(listed: ForeignMessage[]): ForeignMessage[] {
  const known = new Map(listed.map((message) => [message.id, message]))
  const messages = [...known.values()]
  const children = new Map<string | null, ForeignMessage[]>()
  for (const message of messages) {
    message.parent = message.parent !== null && known.has(message.parent) ? message.parent : null
    const siblings = children.get(message.parent)
    if (siblings) siblings.push(message)
    else children.set(message.parent, [message])
  }
  const ordered = [...(children.get(null) ?? [])]
  for (const { id } of ordered) ordered.push(...(children.get(id) ?? []))
  if (ordered.length < messages.length) throw new Damage('loop')
  return ordered
}
