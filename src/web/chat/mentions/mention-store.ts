import { create } from 'zustand'
import { MAX_MENTIONS, type NamedMention } from '#shared/chat/messages/mentions.ts'

const none: readonly NamedMention[] = []

/** Mentions of the next message of each chat. It lives as long as the page, like the place of the caret. */
const useStore = create<{ byChat: Record<string, readonly NamedMention[]> }>(() => ({ byChat: {} }))

export function useMentions(sessionId: string | null): readonly NamedMention[] {
  return useStore(({ byChat }) => (sessionId ? (byChat[sessionId] ?? none) : none))
}

export function mentionsIn(sessionId: string): readonly NamedMention[] {
  return useStore.getState().byChat[sessionId] ?? none
}

/** Adds mentions. Only one assistant can answer, so a new one replaces the previous one. */
export function addMentions(sessionId: string, added: readonly NamedMention[]): void {
  const isReplaced = (one: NamedMention) =>
    added.some(({ kind, id }) => kind === one.kind && (kind === 'assistant' || id === one.id))
  const kept = mentionsIn(sessionId).filter((one) => !isReplaced(one))
  set(sessionId, [...kept, ...added].slice(0, MAX_MENTIONS))
}

export function removeMention(sessionId: string, { kind, id }: NamedMention): void {
  set(
    sessionId,
    mentionsIn(sessionId).filter((one) => one.kind !== kind || one.id !== id),
  )
}

/** Clears the mentions of a message that is being sent. */
export function clearMentions(sessionId: string): void {
  if (mentionsIn(sessionId).length > 0) set(sessionId, none)
}

function set(sessionId: string, mentions: readonly NamedMention[]): void {
  useStore.setState(({ byChat }) => ({ byChat: { ...byChat, [sessionId]: mentions } }))
}
