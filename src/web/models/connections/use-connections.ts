import { queryOptions } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type ConnectionTest,
  listConnections,
  type ModelConnection,
  testConnection,
} from '#shared/models/connections/connections.ts'
import { isApiError } from '../../platform/lib/api/api-error.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { availableModels } from '../../platform/lib/models/available-models.ts'

/** All connections with their models. */
export const connectionList = queryOptions({
  queryKey: ['model-connections'],
  queryFn: ({ signal }) => call(listConnections, { signal }),
})

/** Reads the connections again, and what may be chosen in a conversation because of them. */
export async function refetchConnections(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: connectionList.queryKey }),
    queryClient.invalidateQueries({ queryKey: availableModels.queryKey }),
  ])
}

/** What the last test of a connection said here; `running` while it is under way. */
export type TestState = 'running' | ConnectionTest

export type ConnectionTests = ReturnType<typeof useConnectionTests>

/** Tests of stored connections: one, or all at once, and what each of them found. */
export function useConnectionTests() {
  const [states, setStates] = useState<ReadonlyMap<string, TestState>>(new Map())
  const set = (id: string, state: TestState) => setStates((before) => new Map(before).set(id, state))
  const test = async ({ id }: ModelConnection) => {
    set(id, 'running')
    set(id, await runTest(id))
    await refetchConnections()
  }
  return {
    stateOf: (id: string) => states.get(id),
    isBusy: [...states.values()].includes('running'),
    test,
    testAll: async (connections: readonly ModelConnection[]) => {
      await Promise.all(connections.filter(({ enabled }) => enabled).map(test))
    },
  }
}

async function runTest(connectionId: string): Promise<ConnectionTest> {
  try {
    return await call(testConnection, { params: { connectionId } })
  } catch (error) {
    const detail = isApiError(error) ? error.detail : String(error)
    return { ok: false, detail, latency_ms: null, models: [] }
  }
}
