import { useNavigate, useSearch } from '@tanstack/react-router'
import { RequestState } from '#shared/runs/input-requests/input-requests.ts'
import type { InboxPlace } from './use-inbox.ts'

/** Returns the state of the inbox from the address; unknown values are ignored. */
export function useInboxPlace(): InboxPlace {
  const { status, assistant } = useSearch({ strict: false }) as { status?: unknown; assistant?: unknown }
  return {
    status: RequestState.options.find((option) => option === status) ?? 'waiting',
    assistant: typeof assistant === 'string' && assistant !== '' ? assistant : null,
  }
}

/** Navigates to a state of the inbox; defaults are omitted from the address. */
export function useGo(): (place: InboxPlace) => void {
  const navigate = useNavigate()
  return ({ status, assistant }) =>
    void navigate({
      to: '/inbox',
      search: { ...(status !== 'waiting' && { status }), ...(assistant && { assistant }) },
    })
}
