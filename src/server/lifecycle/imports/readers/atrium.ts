import { MAX_COMPARED } from '#shared/chat/comparisons/comparisons.ts'
import { ContextUse } from '#shared/chat/context-use/context-use.ts'
import { Pipeline } from '#shared/knowledge/documents/documents.ts'
import { Block } from '#shared/runs/runs/blocks.ts'
import { RunUsage } from '#shared/runs/runs/usage.ts'
import { WrittenBy } from '#shared/runs/runs/view.ts'
import { Damage } from '../archive/damage.ts'
import { readClass, readSources } from './atrium-classes.ts'
import type {
  ElementReader,
  ForeignAssistant,
  ForeignChat,
  ForeignDocument,
  ForeignFile,
  ForeignMessage,
  ForeignPassage,
  ForeignPrompt,
  ForeignVersion,
  Shelf,
} from './foreign.ts'
import { asCount, asId, asList, asName, asObject, asObjects, asText, asTime } from './read-values.ts'
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
    const settings = asObject(value.session_metadata) ?? {}
    return {
      ...{ kind: 'chat', id, title: asText(value.title), isArchived: value.is_archived === true },
      ...{ isUnread: value.is_unread === true, pin: asCount(value.pin_position) },
      ...{ project: asId(value.workspace_id), model: asName(value.model_name), settings },
      assistant: asId(settings.assistant_id),
      ...{ tags: asList(value.tags).flatMap((tag) => asName(tag) ?? []) },
      ...{ at: asTime(value.created_at), changed: asTime(value.updated_at), leaf: asId(value.active_leaf) },
      sources: readSources(value.data_sources),
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
      settings: {
        ...{ icon: asName(value.icon), agent: value.agent_type, model: asName(value.model_name) },
        ...{
          tools: toolsOf(value.tools),
          projects: asList(value.workspaces).flatMap((one) => asId(one) ?? []),
        },
      },
    }
  },
}

export const atriumPrompt: ElementReader = {
  format: 'atrium',
  recognizes: (value) => 'command' in value && 'text' in value && Array.isArray(value.fields),
  read: (value): ForeignPrompt => {
    const [id, name, command] = [asId(value.id), asName(value.name), asName(value.command)]
    if (id === null || name === null || command === null) throw new Damage('damaged')
    return {
      ...{ kind: 'prompt', id, name, command, text: asText(value.text), fields: value.fields },
      settings: {
        ...{ assistant: asId(value.assistant_id), model: asName(value.model_name) },
        ...{
          tools: toolsOf(value.tools),
          documents: asList(value.documents).flatMap((one) => asId(one) ?? []),
        },
      },
    }
  },
}

const toolsOf = (value: unknown) =>
  value === null ? null : asList(value).flatMap((one) => asName(one)?.slice(0, 100) ?? [])

export const atriumDocument: ElementReader = {
  format: 'atrium',
  recognizes: (value) => 'reading_id' in value && 'extension' in value,
  read: (value, shelf): ForeignDocument | null => {
    // Files inside of a document are found again when it is read.
    if (asId(value.parent_id) !== null) return null
    const [file] = documentFile(value.id, asName(value.name), shelf)
    if (!file) throw new Damage('damaged')
    return {
      ...{ kind: 'document', file, tags: asList(value.tags).flatMap((tag) => asName(tag) ?? []) },
      ...{ isStarred: value.is_starred === true, at: asTime(value.created_at) },
      ...{ dataClass: readClass(value.data_class), sourceUrl: asName(value.source_url) },
      versions: versionsOf(value, file, shelf),
    }
  },
}

/** Versions of one document that are read. */
const MAX_VERSIONS = 1_000

/** Returns the versions that the archive contains, in order. */
function versionsOf({ id, versions }: Fields, file: ForeignFile, shelf: Shelf): ForeignVersion[] {
  const listed = asObjects(versions)
    .slice(0, MAX_VERSIONS)
    .map(({ version, name, pipeline }) => ({ number: asCount(version) ?? 0, name, pipeline }))
    .sort((one, other) => one.number - other.number)
  const last = listed.at(-1)
  const earlier = listed.slice(0, -1).flatMap(({ number, name, pipeline }): ForeignVersion[] => {
    const member = shelf.findVersion(asId(id) ?? '', number)
    if (member === null) return []
    const content = { from: 'member' as const, name: member }
    const shown = asName(name) ?? member.split('/').at(-1) ?? file.name
    return [
      { number, file: { id: `${file.id}/${number}`, name: shown, content }, pipeline: pipelineOf(pipeline) },
    ]
  })
  return [...earlier, { number: last?.number ?? 1, file, pipeline: pipelineOf(last?.pipeline) }]
}

const pipelineOf = (value: unknown) => Pipeline.safeParse(value).data ?? null

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
  const text = asText(original.content) || asText(message.content)
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
    ...{ passages: passagesOf(original.passages), run: asId(original.run_id) },
    measured: measuredIn(metadata),
    ...{ comparedIn: asId(metadata.compared_in), compared: comparedOf(original.compared) },
  }
}

function measuredIn({ stopped, usage, context_use }: Fields): ForeignMessage['measured'] {
  const [used, filled] = [RunUsage.safeParse(usage).data, ContextUse.safeParse(context_use).data]
  return {
    ...(typeof stopped === 'boolean' && { stopped }),
    ...(used && { usage: used }),
    ...(filled && { context_use: filled }),
  }
}

function comparedOf(value: unknown) {
  return asObjects(value)
    .slice(0, MAX_COMPARED)
    .map((one) => ({
      ...{ model: asText(one.model_name), message: asId(one.message_id) },
      error: asName(one.error)?.slice(0, MAX_DETAIL) ?? null,
    }))
}
const MAX_DETAIL = 2_000

function passagesOf(value: unknown): ForeignPassage[] {
  return asObjects(value).flatMap((one) => {
    const [id, document] = [asId(one.id), asId(one.document_id)]
    const [version, position] = [asCount(one.version), asCount(one.position)]
    if (id === null || document === null || version === null || position === null) return []
    return [{ id, document, version, position, text: asText(one.text) }]
  })
}

/** Returns a block of a reply; null for a pause, because no imported run is paused. */
function blockOf(found: Fields): Fields | null {
  const { data: block } = Block.safeParse(found)
  if (!block || block.type === 'paused') return null
  if (block.type === 'input_required' && block.state === 'waiting') return { ...block, state: 'closed' }
  if (block.type !== 'text') return block
  const { doubts: _, ...rest } = block
  return rest
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
