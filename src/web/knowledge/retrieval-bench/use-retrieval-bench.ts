import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  type BenchCase,
  CASES_A_PAGE,
  listBenchCases,
  listBenchFeedback,
  listBenchRuns,
  listBenchSets,
  readBenchCase,
} from '#shared/knowledge/retrieval-bench/retrieval-bench.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'

const KEY = 'retrieval-bench'
/** Polling interval while a run is in progress. */
const POLL_INTERVAL_MS = 1_500

export function useSets() {
  return useQuery({
    queryKey: [KEY, 'sets'],
    queryFn: ({ signal }) => call(listBenchSets, { signal }),
  })
}

/** The runs of a set, polled while one is in progress. */
export function useRuns(benchSetId: string) {
  return useQuery({
    queryKey: [KEY, 'runs', benchSetId],
    queryFn: ({ signal }) => call(listBenchRuns, { params: { benchSetId }, signal }),
    refetchInterval: ({ state }) =>
      state.data?.runs.some((run) => run.state === 'running') ? POLL_INTERVAL_MS : false,
  })
}

/** A page of the matching questions of a set; `done` is the number of results of its runs. */
export function useCases(benchSetId: string, q: string, page: number, done: number) {
  return useQuery({
    queryKey: [KEY, 'cases', benchSetId, q, page, done],
    queryFn: ({ signal }) =>
      call(listBenchCases, { params: { benchSetId }, query: { q, page, limit: CASES_A_PAGE }, signal }),
    placeholderData: keepPreviousData,
  })
}

/** All questions of a set, because counts must cover all pages. */
export function useAllCases(benchSetId: string, done: number) {
  return useQuery({
    queryKey: [KEY, 'all-cases', benchSetId, done],
    queryFn: ({ signal }) => readAllCases(benchSetId, signal),
    placeholderData: keepPreviousData,
  })
}

async function readAllCases(benchSetId: string, signal: AbortSignal): Promise<BenchCase[]> {
  const cases: BenchCase[] = []
  for (let page = 1; ; page++) {
    const query = { page, limit: 100 }
    const { items, has_more } = await call(listBenchCases, { params: { benchSetId }, query, signal })
    cases.push(...items)
    if (!has_more) return cases
  }
}

export function useCase(benchCaseId: string | null) {
  return useQuery({
    queryKey: [KEY, 'case', benchCaseId],
    queryFn: ({ signal }) => call(readBenchCase, { params: { benchCaseId: benchCaseId ?? '' }, signal }),
    enabled: benchCaseId !== null,
    // Data being edited must not change.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}

export function useFeedback(page: number) {
  return useQuery({
    queryKey: [KEY, 'feedback', page],
    queryFn: ({ signal }) => call(listBenchFeedback, { query: { page, limit: 20 }, signal }),
    placeholderData: keepPreviousData,
  })
}

export const readAgain = () => queryClient.invalidateQueries({ queryKey: [KEY] })

/** Returns the letter of a run by its index. */
export const letterOf = (at: number) => String.fromCharCode(65 + at)
