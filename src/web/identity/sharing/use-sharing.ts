import { useMutation, useQuery } from '@tanstack/react-query'
import {
  type Access,
  findRecipients,
  listAssistantShares,
  listToolSetShares,
  type Recipient,
  type Share,
  type Shares,
  shareAssistant,
  shareToolSet,
  unshareAssistant,
  unshareToolSet,
} from '#shared/identity/sharing/sharing.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { useSettled } from '../../platform/lib/api/use-settled.ts'

/** An assistant, or the set that a tool or the tools of an MCP server belong to. */
export type Shareable = { kind: 'assistant' | 'tool_set'; id: string; name: string }
export type NewShare = { recipient: Recipient; access: Access }

const keyOf = ({ kind, id }: Shareable) => ['shares', kind, id]

/** Returns with whom a thing is shared, and with whom the person may share it. */
export function useShares(thing: Shareable) {
  return useQuery({
    queryKey: keyOf(thing),
    queryFn: ({ signal }): Promise<Shares> =>
      thing.kind === 'assistant'
        ? call(listAssistantShares, { params: { assistantId: thing.id }, signal })
        : call(listToolSetShares, { params: { toolSetId: thing.id }, signal }),
    gcTime: 0,
  })
}

/** Returns the mutations that add a share, or change its access, and end one. */
export function useChangeShares(thing: Shareable) {
  const key = keyOf(thing)
  const add = useMutation({
    mutationFn: ({ recipient, access }: NewShare) =>
      thing.kind === 'assistant'
        ? call(shareAssistant, { params: { assistantId: thing.id }, body: { recipient, access } })
        : call(shareToolSet, { params: { toolSetId: thing.id }, body: { recipient } }),
    onSuccess: (shares) => queryClient.setQueryData<Shares>(key, shares),
    onSettled: readAgain,
  })
  const remove = useMutation({
    mutationFn: ({ id }: Share) =>
      thing.kind === 'assistant'
        ? call(unshareAssistant, { params: { assistantId: thing.id, assistantShareId: id } })
        : call(unshareToolSet, { params: { toolSetId: thing.id, toolShareId: id } }),
    onSettled: () => Promise.all([queryClient.invalidateQueries({ queryKey: key }), readAgain()]),
  })
  return { add, remove }
}

/** Refetches what shows whether a thing is shared. */
async function readAgain(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['assistants'] })
}

/** Returns companies, groups and people whose name contains the typed text. */
export function useRecipients(typed: string) {
  const q = useSettled(typed.trim())
  const found = useQuery({
    queryKey: ['share-recipients', q],
    queryFn: ({ signal }) => call(findRecipients, { query: { q }, signal }),
    enabled: q !== '',
    placeholderData: (before) => before,
  })
  return { ...found, isSettled: q === typed.trim() && !found.isPlaceholderData }
}

/** Returns the recipient of a share; null when its name and id are hidden from the person. */
export function recipientOf({ who, recipient_id: id }: Share): Recipient | null {
  if (who === 'everybody') return { who }
  return id === null ? null : { who, id }
}
