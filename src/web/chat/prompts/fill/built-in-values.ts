import { useQuery } from '@tanstack/react-query'
import { getChatLibrary } from '#shared/knowledge/rag/chat-library.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { useMe } from '../../../platform/lib/me/me.ts'
import type { BuiltInValues } from './fill-prompt.ts'

/** What a chat offers to a prompt. */
export type ChatParts = { sessionId: string | null; selected_text: string; last_reply: string }

/** Returns the values of the built-in fields in a chat; null until they are known. */
export function useBuiltInValues({ sessionId, selected_text, last_reply }: ChatParts): BuiltInValues | null {
  const me = useMe()
  const library = useQuery({
    queryKey: ['documents', 'chat-library', sessionId],
    queryFn: ({ signal }) => call(getChatLibrary, { params: { sessionId: sessionId ?? '' }, signal }),
    enabled: sessionId !== null,
    retry: false,
  })
  if (!me || (sessionId !== null && library.isPending)) return null
  return {
    today: today(),
    user_name: me.full_name?.trim() || me.username,
    language: new Intl.DisplayNames([me.language], { type: 'language' }).of(me.language) ?? '',
    project: library.data?.workspaces.items[0]?.name ?? '',
    ...{ selected_text, last_reply },
  }
}

/** Returns the day in the person's time zone as year-month-day. */
function today(): string {
  const now = new Date()
  const pad = (number: number) => String(number).padStart(2, '0')
  return `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`
}
