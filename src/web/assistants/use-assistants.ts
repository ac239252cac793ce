import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type Assistant, listAssistants } from '#shared/assistants/assistants.ts'
import { call } from '../lib/call.ts'
import { queryClient } from '../lib/query-client.ts'
import { useToken } from '../lib/token.ts'

const queryKey = ['assistants']

/** Every assistant the person may use: own and shared ones, then those of the product. */
export function fetchAssistants(signal: AbortSignal): Promise<Assistant[]> {
  return call(listAssistants, { signal })
}

/** The same list for a view; it is read again when it opens and when assistants were changed somewhere else. */
export function useAssistants() {
  const token = useToken()
  useEffect(() => {
    const refetch = () => void queryClient.invalidateQueries({ queryKey })
    window.addEventListener('assistants-updated', refetch)
    return () => window.removeEventListener('assistants-updated', refetch)
  }, [])
  return useQuery({ queryKey, queryFn: ({ signal }) => fetchAssistants(signal), enabled: token !== null })
}
