import { Damage } from '../archive/damage.ts'
import type { ElementReader, ForeignAssistant, ForeignChat, ForeignFile, ForeignMessage } from './foreign.ts'
import { asId, asList, asName, asObject, asObjects, asPage, asText, asTime } from './read-values.ts'
import { assertNodes, type ForeignNode, tidyTree } from './tidy-tree.ts'

type Fields = Record<string, unknown>

/** Reads a chat of Open WebUI: a tree in `chat.history`. */
export const openWebuiChat: ElementReader = {
  format: 'open_webui',
  recognizes: (value) => 'history' in (asObject(value.chat) ?? {}),
  read: (value): ForeignChat => {
    const chat = asObject(value.chat) as Fields
    const history = asObject(chat.history)
    const tree = asObject(history?.messages)
    const id = asId(value.id) ?? asId(chat.id)
    if (!history || !tree || id === null) throw new Damage('damaged')
    assertNodes(Object.keys(tree).length)
    const nodes = Object.entries(tree).map(([key, node]): ForeignNode => {
      const message = asObject(node)
      const nodeId = asId(key)
      if (!message || nodeId === null) throw new Damage('damaged')
      return { id: nodeId, parent: asId(message.parentId), message: readMessage(id, nodeId, message) }
    })
    const tags = asList(asObject(value.meta)?.tags).flatMap((tag) => asName(tag) ?? [])
    return {
      ...{ kind: 'chat', id, title: asText(value.title) || asText(chat.title), tags },
      ...{ isArchived: value.archived === true },
      ...{ at: asTime(value.created_at) ?? asTime(chat.timestamp), changed: asTime(value.updated_at) },
      ...tidyTree(nodes, asId(history.currentId)),
    }
  },
}

/** Reads a model of Open WebUI with its system prompt. */
export const openWebuiModel: ElementReader = {
  format: 'open_webui',
  recognizes: (value) => 'base_model_id' in value && asObject(value.meta) !== null,
  read: (value): ForeignAssistant | null => {
    const [id, name] = [asId(value.id), asName(value.name)]
    if (id === null || name === null) throw new Damage('damaged')
    const [meta, params] = [asObject(value.meta) ?? {}, asObject(value.params) ?? {}]
    const instructions = asText(params.system)
    // A model of a provider is listed too, but has nothing of its own.
    if (value.base_model_id === null && instructions === '') return null
    const files = asObjects(meta.knowledge).flatMap((one, at) => fileOf(`${id}/knowledge-${at}`, one))
    const { temperature } = params
    return {
      ...{ kind: 'assistant', id, name, description: asText(meta.description), instructions, files },
      examples: asObjects(meta.suggestion_prompts).flatMap((one) => asName(one.content) ?? []),
      temperature: typeof temperature === 'number' ? temperature : null,
    }
  },
}

function readMessage(chatId: string, id: string, message: Fields): ForeignMessage | null {
  const { role } = message
  if (role !== 'user' && role !== 'assistant') return null
  const text = withoutDetails(asText(message.content)).trim()
  const files = asObjects(message.files).flatMap((file, at) => fileOf(`${chatId}/${id}/file-${at}`, file))
  if (text === '' && files.length === 0) return null
  const cited = asObjects(message.sources ?? message.citations).flatMap((one) =>
    [asObject(one.source), ...asObjects(one.metadata)].flatMap((page) => {
      if (!page) return []
      const url = asText(page.url) || asText(page.source)
      return asPage({ url, title: page.name ?? page.title }) ?? []
    }),
  )
  return {
    ...{ id, parent: null, role, text, files },
    ...{ model: role === 'assistant' ? asName(message.model) : null, at: asTime(message.timestamp) },
    sources: [...new Map(cited.map((page) => [page.url, page])).values()],
  }
}

const BEGIN = '<details type="'
const END = '</details>'
const hidden = new Set(['reasoning', 'tool_calls', 'code_interpreter'])

/** Removes reasoning and tool calls, which Open WebUI writes into the text. */
function withoutDetails(text: string): string {
  let shown = ''
  let from = 0
  for (;;) {
    const at = text.indexOf(BEGIN, from)
    const end = at < 0 ? -1 : text.indexOf(END, at)
    if (end < 0) return shown + text.slice(from)
    const kind = text.slice(at + BEGIN.length, text.indexOf('"', at + BEGIN.length))
    shown += hidden.has(kind) ? text.slice(from, at) : text.slice(from, end + END.length)
    from = end + END.length
  }
}

/** Pictures are data of the message, files have their text. Other addresses are not loaded. */
function fileOf(id: string, file: Fields): ForeignFile[] {
  const inner = asObject(file.file) ?? file
  const name = asName(file.name) ?? asName(inner.filename) ?? asName(asObject(inner.meta)?.name)
  const url = asText(file.url)
  const data = /^data:image\/(png|jpe?g|gif|webp);base64,/.exec(url.slice(0, 40))
  if (data) {
    const content = { from: 'base64', data: url.slice(data[0].length) } as const
    return [{ id, name: name ?? `picture.${data[1]}`, content }]
  }
  if (/^https?:/.test(url)) return [{ id, name: name ?? url.slice(0, 200), content: { from: 'elsewhere' } }]
  const text = asText(asObject(inner.data)?.content)
  if (name === null) return []
  return [{ id: asId(inner.id) ?? id, name, content: text === '' ? null : { from: 'text', text } }].map(
    (one) =>
      // Only the text of the file is exported.
      one.content && !/\.(?:txt|md|csv|json)$/i.test(one.name) ? { ...one, name: `${one.name}.txt` } : one,
  ) as ForeignFile[]
}
