import { useQuery } from '@tanstack/react-query'
import { getChatLibrary } from '#shared/knowledge/rag/chat-library.ts'
import { call } from '../../../platform/lib/api/call.ts'

/** How often it is looked again while documents are being read; phases are told by nobody. */
const READING_MS = 2_000

/** What a chat answers from. */
export function useChatLibrary(sessionId: string) {
  return useQuery({
    queryKey: ['documents', 'chat-library', sessionId],
    queryFn: ({ signal }) => call(getChatLibrary, { params: { sessionId }, signal }),
    refetchInterval: ({ state: { data } }) =>
      (data?.left_out.reading.documents ?? 0) > 0 ? READING_MS : false,
  })
}
