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

/** Adds what a message names. One assistant answers, so that another one takes its place. */
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

/** Takes what the message names that is being sent. */
export function clearMentions(sessionId: string): void {
  if (mentionsIn(sessionId).length > 0) set(sessionId, none)
}

function set(sessionId: string, mentions: readonly NamedMention[]): void {
  useStore.setState(({ byChat }) => ({ byChat: { ...byChat, [sessionId]: mentions } }))
}
