import { useQuery } from '@tanstack/react-query'
import { getChatLibrary } from '#shared/knowledge/rag/chat-library.ts'
import { call } from '../../../platform/lib/api/call.ts'

/** Polling interval while documents are processed, because phases are not pushed. */
const READING_MS = 2_000

/** Returns the sources of a chat. */
export function useChatLibrary(sessionId: string) {
  return useQuery({
    queryKey: ['documents', 'chat-library', sessionId],
    queryFn: ({ signal }) => call(getChatLibrary, { params: { sessionId }, signal }),
    refetchInterval: ({ state: { data } }) =>
      (data?.left_out.reading.documents ?? 0) > 0 ? READING_MS : false,
  })
}
