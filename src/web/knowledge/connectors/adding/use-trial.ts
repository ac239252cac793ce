import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { browseSource, countSource, type Selection } from '#shared/knowledge/connectors/sources.ts'
import { call } from '../../../platform/lib/api/call.ts'
import type { Trial } from './connector-draft.ts'

/** Debounce of counting, in milliseconds: every count asks the source. */
const SETTLED_MS = 600

const bodyOf = ({ key: _, ...body }: Trial) => body

/** Returns the folders directly in a folder of a source. */
export function useFolders(trial: Trial, path: string) {
  return useQuery({
    queryKey: ['connector-folders', trial.key, path],
    queryFn: ({ signal }) => call(browseSource, { body: { ...bodyOf(trial), path }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
}

/** Counts what a selection would read. Without data while it counts; null selects nothing. */
export function useCount(trial: Trial, selection: Selection | null) {
  const [settled, setSettled] = useState(selection)
  const wanted = JSON.stringify(selection)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(wanted) as Selection | null), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [wanted])
  const query = useQuery({
    queryKey: ['connector-count', trial.key, settled],
    queryFn: ({ signal }) =>
      call(countSource, { body: { ...bodyOf(trial), selection: settled as Selection }, signal }),
    enabled: settled !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  const isSettled = JSON.stringify(settled) === wanted
  return {
    count: isSettled && selection ? query.data : undefined,
    error: isSettled ? query.error : null,
    retry: query.refetch,
  }
}
