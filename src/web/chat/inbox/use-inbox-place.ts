import { useNavigate, useSearch } from '@tanstack/react-router'
import { RequestState } from '#shared/runs/input-requests/input-requests.ts'
import type { InboxPlace } from './use-inbox.ts'

/** What the address says the inbox shows; what it does not know counts as not said. */
export function useInboxPlace(): InboxPlace {
  const { status, assistant } = useSearch({ strict: false }) as { status?: unknown; assistant?: unknown }
  return {
    status: RequestState.options.find((option) => option === status) ?? 'waiting',
    assistant: typeof assistant === 'string' && assistant !== '' ? assistant : null,
  }
}

/** Goes to a place of the inbox; what is usual does not stand in the address. */
export function useGo(): (place: InboxPlace) => void {
  const navigate = useNavigate()
  return ({ status, assistant }) =>
    void navigate({
      to: '/inbox',
      search: { ...(status !== 'waiting' && { status }), ...(assistant && { assistant }) },
    })
}
