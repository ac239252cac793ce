import { useQuery } from '@tanstack/react-query'
import type { ListedAssistant } from '#shared/chat/assistants/assistants.ts'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import { WrittenBy } from '#shared/runs/runs/view.ts'
import type { ChatMessage } from './message-store.ts'

/** Preloads the code of assistants when one is used. */
export const loadAssistants = () => import('../../assistants/assistants.ts')

/** Returns the assistant that writes the next replies of a session; null without one, and while unknown. */
export function useAssistant(session: Session | null): ListedAssistant | null {
  const id = session?.session_metadata.assistant_id ?? null
  const { data } = useQuery({
    queryKey: ['assistants', 'one', id],
    queryFn: async ({ signal }) => (await loadAssistants()).fetchAssistant(id ?? '', signal),
    staleTime: 60_000,
    enabled: id !== null,
  })
  return data ?? null
}

/** Returns the name of the assistant that wrote a reply at that time; null without one. */
export function writerOf({ metadata }: ChatMessage): string | null {
  const written = WrittenBy.safeParse(metadata.assistant)
  return written.success ? written.data.name : null
}
