/** A message of a made ChatGPT conversation: a text, or the fields of the message. */
export type MadeMessage = {
  id: string
  parent?: string
  role?: 'user' | 'assistant' | 'system' | 'tool'
  text?: string
  more?: Record<string, unknown>
  metadata?: Record<string, unknown>
}

export type MadeChat = {
  id: string
  title?: string
  messages: MadeMessage[]
  current?: string
  archived?: boolean
}

const BEGIN = 1_700_000_000

/** Returns a conversation in the form of ChatGPT's `conversations.json`. Messages follow each other unless they name a parent. */
export function chatgptChat({ id, title = 'A chat', messages, current, archived = false }: MadeChat) {
  const root = `${id}-root`
  const parents = messages.map((one, at) => one.parent ?? messages[at - 1]?.id ?? root)
  const nodes = messages.map((one, at) => [one.id, nodeOf(one, parents[at] as string, at)] as const)
  const mapping: Record<string, unknown> = {
    [root]: { id: root, parent: null, children: [], message: null },
    ...Object.fromEntries(nodes),
  }
  const times = { create_time: BEGIN, update_time: BEGIN + messages.length }
  const node = current ?? messages.at(-1)?.id ?? root
  return { title, ...times, mapping, current_node: node, conversation_id: id, is_archived: archived }
}

function nodeOf(message: MadeMessage, parent: string, at: number) {
  const {
    id,
    role = at % 2 === 0 ? 'user' : 'assistant',
    text = `Text ${id}`,
    more = {},
    metadata = {},
  } = message
  const model = role === 'assistant' ? { model_slug: 'gpt-4o' } : {}
  return {
    ...{ id, parent, children: [] },
    message: {
      ...{ id, author: { role, name: null, metadata: {} }, create_time: BEGIN + at, recipient: 'all' },
      ...{ content: { content_type: 'text', parts: [text] }, metadata: { ...model, ...metadata } },
      ...more,
    },
  }
}

/** Yields the JSON of many conversations without holding them in memory; each message has about `bytes` bytes. */
export function* manyChats(count: number, messages: number, bytes: number): Generator<string> {
  const words = 'The frame contract ends on 30 June 2027 unless it is renewed in writing. '
  const text = words.repeat(Math.ceil(bytes / words.length)).slice(0, bytes)
  for (let chat = 0; chat < count; chat += 1) {
    const made = Array.from({ length: messages }, (_, at) => ({
      id: `m${chat}-${at}`,
      text: `${at} ${text}`,
    }))
    const json = JSON.stringify(
      chatgptChat({ id: `chat-${chat}`, title: `Contract ${chat}`, messages: made }),
    )
    yield `${chat === 0 ? '[' : ','}${json}${chat === count - 1 ? ']' : ''}`
  }
}
