import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { generateAnswer, type RagRequest } from '#shared/knowledge/rag/rag.ts'
import { listAvailableModels } from '#shared/models/connections/connections.ts'
import { ApiError } from '../../platform/lib/api/api-error.ts'
import { call, openRoute } from '../../platform/lib/api/call.ts'
import { foldRagEvent, idle, type RagProgress } from './rag-progress.ts'
import { readRagEvents } from './read-rag-events.ts'

/** The answer to a question while it is generated. Another question, or leaving, cancels it. */
export function useRag() {
  const [progress, setProgress] = useState(idle)
  const asking = useRef<AbortController>(undefined)
  useEffect(() => () => asking.current?.abort(), [])
  const ask = async (body: RagRequest) => {
    asking.current?.abort()
    const own = new AbortController()
    asking.current = own
    setProgress({ ...idle, status: 'loading' })
    const fail = (error: RagProgress['error']) => {
      if (own.signal.aborted) return
      setProgress((now) => (now.status === 'loading' ? { ...now, status: 'error', error } : now))
    }
    try {
      const headers = { accept: 'text/event-stream' }
      const response = await openRoute(generateAnswer, { body, headers, signal: own.signal })
      await readRagEvents(response, (event) => setProgress((now) => foldRagEvent(now, event)))
      // A stream that ends before its answer was cut off.
      fail(idle.error)
    } catch (error) {
      fail(error instanceof ApiError ? error : idle.error)
    }
  }
  const stop = () => {
    asking.current?.abort()
    setProgress(idle)
  }
  return { progress, ask, stop }
}

/** Returns the available models; undefined while unknown. */
export function useModels() {
  const { data, isError } = useQuery({
    queryKey: ['available-models'],
    queryFn: ({ signal }) => call(listAvailableModels, { signal }),
    staleTime: 60_000,
  })
  return { available: data, isKnown: data !== undefined || isError }
}
