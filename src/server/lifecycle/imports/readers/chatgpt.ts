import { websourceTag } from '#shared/platform/citations/citation-tags.ts'
import { Damage } from '../archive/damage.ts'
import type {
  ElementReader,
  ForeignAssistant,
  ForeignChat,
  ForeignFile,
  ForeignMessage,
  Shelf,
} from './foreign.ts'
import { asId, asList, asName, asObject, asObjects, asPage, asText, asTime } from './read-values.ts'
import { assertNodes, type ForeignNode, tidyTree } from './tidy-tree.ts'

type Fields = Record<string, unknown>

/** Reads a conversation of ChatGPT: a tree in `mapping`, with the shown leaf in `current_node`. */
export const chatgptChat: ElementReader = {
  format: 'chatgpt',
  recognizes: (value) => 'mapping' in value && ('current_node' in value || 'create_time' in value),
  read: (value, shelf): ForeignChat => {
    const mapping = asObject(value.mapping)
    const id = asId(value.conversation_id) ?? asId(value.id)
    if (!mapping || id === null) throw new Damage('damaged')
    assertNodes(Object.keys(mapping).length)
    const nodes = Object.entries(mapping).map(([key, node]) => readNode(key, asObject(node), shelf))
    return {
      ...{ kind: 'chat', id, title: asText(value.title), isArchived: value.is_archived === true },
      ...{ at: asTime(value.create_time), changed: asTime(value.update_time) },
      ...tidyTree(nodes, asId(value.current_node)),
    }
  },
}

/** Reads a GPT with its instructions. */
export const chatgptAssistant: ElementReader = {
  format: 'chatgpt',
  recognizes: (value) => asObject(asObject(value.gizmo)?.display) !== null,
  read: (value, shelf): ForeignAssistant => {
    const gizmo = asObject(value.gizmo) as Fields
    const display = asObject(gizmo.display) as Fields
    const [id, name] = [asId(gizmo.id), asName(display.name)]
    if (id === null || name === null) throw new Damage('damaged')
    return {
      ...{ kind: 'assistant', id, name, description: asText(display.description), temperature: null },
      instructions: asText(gizmo.instructions),
      examples: asList(display.prompt_starters).flatMap((one) => asName(one) ?? []),
      files: asObjects(value.files).flatMap((file) => fileOf(file, shelf)),
    }
  },
}

function readNode(key: string, node: Fields | null, shelf: Shelf): ForeignNode {
  const id = asId(key)
  if (!node || id === null) throw new Damage('damaged')
  return { id, parent: asId(node.parent), message: readMessage(id, asObject(node.message), shelf) }
}

/** Returns null for messages that ChatGPT does not show: of the system, to and from tools, and reasoning. */
function readMessage(id: string, message: Fields | null, shelf: Shelf): ForeignMessage | null {
  const metadata = asObject(message?.metadata) ?? {}
  const role = asText(asObject(message?.author)?.role)
  const content = asObject(message?.content)
  if (!message || !content || metadata.is_visually_hidden_from_conversation === true) return null
  const isTool = role === 'tool'
  const files = [
    ...asObjects(metadata.attachments).flatMap((file) => fileOf(file, shelf)),
    ...asObjects(content.parts).flatMap((part) => pictureOf(part, shelf)),
  ]
  // Tools answer with pictures that belong to the reply; their other results are not shown.
  if (isTool && files.length === 0) return null
  if (!isTool && role !== 'user' && role !== 'assistant') return null
  if (role === 'assistant' && asText(message.recipient || 'all') !== 'all') return null
  const shown = isTool ? '' : shownText(content)
  if (shown === null) return null
  const { text, sources } = withSources(shown, metadata)
  if (text.trim() === '' && files.length === 0) return null
  return {
    ...{ id, parent: null, role: role === 'user' ? 'user' : 'assistant', text, sources },
    ...{ model: asName(metadata.model_slug), at: asTime(message.create_time), files: unique(files) },
  }
}

/** Returns the text of a shown content, or null for one that is not shown. */
function shownText(content: Fields): string | null {
  switch (content.content_type) {
    case 'text':
    case 'multimodal_text':
      return asList(content.parts)
        .map(partText)
        .filter((part) => part !== '')
        .join('\n\n')
    case 'code':
      return `\`\`\`${asText(content.language).replace(/[^a-z0-9+#-]/gi, '')}\n${asText(content.text)}\n\`\`\``
    default:
      return null
  }
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part
  const audio = asObject(part)
  return audio?.content_type === 'audio_transcription' ? asText(audio.text) : ''
}

/** Mark of a citation; older exports have the brackets. A mark never contains another one, so that a search takes linear time. */
const MARK = /\ue200[^\ue200\ue201]*\ue201|【[^【】]*】/g
const MAX_SOURCES = 100
/** Characters that the markers of one message add. */
const MAX_MARKERS = 500_000

type Page = ForeignMessage['sources'][number]

/** Replaces the marks of citations with our markers of web pages, in one pass. */
function withSources(text: string, metadata: Fields): Pick<ForeignMessage, 'text' | 'sources'> {
  const sources = new Map<string, Page & { number: number }>()
  const markers = new Map<string, string>()
  for (const reference of asObjects(metadata.content_references)) {
    const pages = [...asObjects(reference.items), reference].flatMap((page) => asPage(page) ?? [])
    const tags = pages.flatMap((page) => {
      const number = numberOf(page, sources)
      return number === null ? [] : websourceTag(page.url, page.title, number)
    })
    if (tags.length > 0) markers.set(asText(reference.matched_text), [...new Set(tags)].join(' '))
  }
  for (const citation of asObjects(metadata.citations)) {
    const page = asPage(asObject(citation.metadata) ?? {})
    if (page) numberOf(page, sources)
  }
  let room = MAX_MARKERS
  const cited = text.replace(MARK, (mark) => {
    const marker = markers.get(mark)
    if (marker !== undefined && marker.length <= room) {
      room -= marker.length
      return marker
    }
    // Private marks without a page have no meaning outside of ChatGPT.
    return mark.startsWith('【') ? mark : ''
  })
  return { text: cited, sources: [...sources.values()].map(({ title, url }) => ({ title, url })) }
}

/** Returns the number of a page; null beyond the most that a message lists. */
function numberOf(page: Page, sources: Map<string, Page & { number: number }>): number | null {
  const known = sources.get(page.url)
  if (known) return known.number
  if (sources.size >= MAX_SOURCES) return null
  const number = sources.size + 1
  sources.set(page.url, { ...page, number })
  return number
}

function fileOf(file: Fields, shelf: Shelf): ForeignFile[] {
  const id = asId(file.id)
  if (id === null) return []
  const member = shelf.findById(id)
  return [
    { id, name: asName(file.name) ?? id, content: member === null ? null : { from: 'member', name: member } },
  ]
}

function pictureOf(part: Fields, shelf: Shelf): ForeignFile[] {
  const pointer = /^(?:file-service|sediment):\/\/([\w-]+)/.exec(asText(part.asset_pointer))
  const id = pointer?.[1]
  if (id === undefined) return []
  const member = shelf.findById(id)
  const name = member?.split('/').at(-1) ?? id
  return [{ id, name, content: member === null ? null : { from: 'member', name: member } }]
}

const unique = (files: ForeignFile[]) => [...new Map(files.map((file) => [file.id, file])).values()]
