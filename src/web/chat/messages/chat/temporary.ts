import type { NamedMention } from '#shared/chat/messages/mentions.ts'
import type { MessageFile } from '#shared/chat/messages/message-files.ts'
import type { ChatMessage } from './message-store.ts'

/** Prefix of temporary ids. */
const prefix = 'temp-'

/** Returns whether an id is temporary. */
export function isTemporary(id: string): boolean {
  return id.startsWith(prefix)
}

/** Returns a unique id. `crypto.randomUUID` only exists on https and localhost. */
export function newClientId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

type Given = { sessionId: string; clientId: string; parentId: string | null }

/** Returns a new message, pending until the server has it. */
export function temporaryQuestion(
  { sessionId, clientId, parentId }: Given,
  content: string,
  { files = [], mentions = [] }: { files?: readonly MessageFile[]; mentions?: readonly NamedMention[] } = {},
): ChatMessage {
  return {
    ...blank(sessionId, parentId),
    ...{ id: prefix + clientId, temp_id: prefix + clientId },
    key: clientId,
    client_id: clientId,
    role: 'user',
    content,
    metadata: { files, mentions },
    status: 'animating_in',
  }
}

/** Returns the placeholder of an expected reply. */
export function temporaryReply({ sessionId, clientId, parentId }: Given): ChatMessage {
  const id = `${prefix}reply-${clientId}`
  return { ...blank(sessionId, parentId), id, temp_id: id, key: id, role: 'assistant', status: 'streaming' }
}

function blank(
  sessionId: string,
  parentId: string | null,
): Omit<ChatMessage, 'id' | 'key' | 'role' | 'status'> {
  return {
    client_id: null,
    chat_session_id: sessionId,
    parent_id: parentId,
    agent_type: null,
    model_name: null,
    content: '',
    blocks: [],
    is_modified: false,
    metadata: {},
    created_at: new Date().toISOString(),
  }
}
