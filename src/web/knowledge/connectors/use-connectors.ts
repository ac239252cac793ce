import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import type { ItemState } from '#shared/knowledge/connectors/connector-items.ts'
import {
  answerRemoval,
  listConnectorItems,
  listSyncs,
  retryConnectorItem,
  undoRemoval,
} from '#shared/knowledge/connectors/connector-items.ts'
import {
  type Connector,
  getConnector,
  listConnectors,
  pauseConnector,
  removeConnector,
  syncConnector,
} from '#shared/knowledge/connectors/connectors.ts'
import { signInConnector } from '#shared/knowledge/connectors/sign-in.ts'
import { listSources, type Source } from '#shared/knowledge/connectors/sources.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call, callOrNotFound } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { toast } from '../../platform/ui/toasts/toasts.ts'

const connectorsKey = ['connectors']
const keyOfConnector = (id: string) => [...connectorsKey, 'one', id]
export const CONNECTORS_PAGE = 50
/** Syncs begin and end without the browser, so open pages look again. */
const LOOK_AGAIN_MS = 15_000
const LOOK_SOON_MS = 1_500

/** A connector whose counts change in a moment. */
const isMoving = ({ state, documents_waiting }: Connector) => state === 'working' || documents_waiting > 0
const intervalOf = (connectors: readonly Connector[] | undefined) =>
  connectors?.some(isMoving) ? LOOK_SOON_MS : LOOK_AGAIN_MS

export function useConnectorList(page: number) {
  return useQuery({
    queryKey: [...connectorsKey, 'list', page],
    queryFn: ({ signal }) => {
      const query = { skip: String((page - 1) * CONNECTORS_PAGE), limit: String(CONNECTORS_PAGE) }
      return call(listConnectors, { query, signal })
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => intervalOf(state.data?.items),
  })
}

/** One connector; null if it is gone. */
export function useConnector(id: string) {
  return useQuery({
    queryKey: keyOfConnector(id),
    queryFn: async ({ signal }): Promise<Connector | null> => {
      const found = await callOrNotFound(getConnector, { params: { connectorId: id }, signal })
      return 'notFound' in found ? null : found
    },
    refetchInterval: ({ state }) => intervalOf(state.data ? [state.data] : []),
  })
}

/** The sources of this installation, and whether the person may connect one for themselves. */
export function useSources() {
  return useQuery({
    queryKey: ['connector-sources'],
    queryFn: ({ signal }) => call(listSources, { signal }),
    staleTime: 60_000,
  })
}

/** Returns the source of a connector if people sign in on its page; null for another one. */
export function useSignInSource({ source }: Pick<Connector, 'source'>): Source | null {
  const { data } = useSources()
  return data?.items.find(({ id, signs_in }) => id === source && signs_in) ?? null
}

/** Goes to the page of the source, where the person signs in. */
export function useSignIn(id: string) {
  const { t } = useTranslation('connectors')
  return useMutation({
    mutationFn: () => call(signInConnector, { params: { connectorId: id } }),
    onSuccess: ({ url }) => location.assign(url),
    onError: (error) => void toast.error(errorText(t, error)),
  })
}

/** Tells whether a connector was never synced and waits for the choice of its content. */
export const isUnread = ({ state, last_sync_at, listed, progress }: Connector): boolean =>
  state === 'paused' && last_sync_at === null && listed === 0 && progress === null

/** Items that differ from the source. `version` changes with the counts of the connector. */
export function useDifferingItems(id: string, state: ItemState | null, page: number, version: string) {
  return useQuery({
    queryKey: [...keyOfConnector(id), 'items', state, page, version],
    queryFn: ({ signal }) => {
      const query = {
        ...{ skip: String((page - 1) * CONNECTORS_PAGE), limit: String(CONNECTORS_PAGE) },
        ...(state && { state }),
      }
      return call(listConnectorItems, { params: { connectorId: id }, query, signal })
    },
    placeholderData: keepPreviousData,
  })
}

export function useSyncs(id: string, page: number, version: string) {
  return useQuery({
    queryKey: [...keyOfConnector(id), 'syncs', page, version],
    queryFn: ({ signal }) => {
      const query = { skip: String((page - 1) * CONNECTORS_PAGE), limit: String(CONNECTORS_PAGE) }
      return call(listSyncs, { params: { connectorId: id }, query, signal })
    },
    placeholderData: keepPreviousData,
  })
}

/** Stores a connector from an answer, and refetches the list. */
export function noteConnector(connector: Connector): void {
  queryClient.setQueryData(keyOfConnector(connector.id), connector)
  void queryClient.invalidateQueries({ queryKey: [...connectorsKey, 'list'] })
}

/** Pauses, syncs and removes a connector, answers its question, and retries an item. Failures are reported. */
export function useConnectorActions(id: string) {
  const { t } = useTranslation('connectors')
  const params = { connectorId: id }
  const onError = (error: unknown) => void toast.error(errorText(t, error))
  const done = { onSuccess: noteConnector, onError }
  const pausing = useMutation({ mutationFn: () => call(pauseConnector, { params }), ...done })
  const syncing = useMutation({ mutationFn: () => call(syncConnector, { params }), ...done })
  const answering = useMutation({
    mutationFn: (body: { removal_id: string; answer: 'remove' | 'keep' }) =>
      call(answerRemoval, { params, body }),
    ...done,
  })
  const undoing = useMutation({
    mutationFn: (removal_id: string) => call(undoRemoval, { params, body: { removal_id } }),
    ...done,
  })
  const removing = useMutation({
    mutationFn: (documents: 'delete' | 'keep') => call(removeConnector, { params, body: { documents } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [...connectorsKey, 'list'] }),
    onError,
  })
  const retrying = useMutation({
    mutationFn: (itemId: string) => call(retryConnectorItem, { params: { connectorId: id, itemId } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keyOfConnector(id) }),
    onError,
  })
  return { pausing, syncing, answering, undoing, removing, retrying }
}
