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

/** Query for all connections with their models. */
export const connectionList = queryOptions({
  queryKey: ['model-connections'],
  queryFn: ({ signal }) => call(listConnections, { signal }),
})

/** Refetches the connections and the models available in chats. */
export async function refetchConnections(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: connectionList.queryKey }),
    queryClient.invalidateQueries({ queryKey: availableModels.queryKey }),
  ])
}

/** Result of the last test of a connection; `running` while in progress. */
export type TestState = 'running' | ConnectionTest

export type ConnectionTests = ReturnType<typeof useConnectionTests>

/** Tests one or all stored connections and stores each result. */
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
    return { ok: false, detail, latency_ms: null, models: [], lists_models: true }
  }
}
