import { useMutation, useQuery } from '@tanstack/react-query'
import {
  type Access,
  findRecipients,
  listAssistantShares,
  listPromptShares,
  listToolSetShares,
  type Recipient,
  type RecipientKind,
  type Share,
  type Shares,
  shareAssistant,
  sharePrompt,
  shareToolSet,
  unshareAssistant,
  unsharePrompt,
  unshareToolSet,
} from '#shared/identity/sharing/sharing.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { useSettled } from '../../platform/lib/api/use-settled.ts'

/** An assistant, a prompt, or the set that a tool or the tools of an MCP server belong to. */
export type Shareable = { kind: 'assistant' | 'prompt' | 'tool_set'; id: string; name: string }
export type NewShare = { recipient: Recipient; access: Access }

type Calls = {
  list: (id: string, signal: AbortSignal) => Promise<Shares>
  add: (id: string, share: NewShare) => Promise<Shares>
  remove: (id: string, shareId: string) => Promise<unknown>
  /** Recipients that can get the right to edit. */
  editors: readonly RecipientKind[]
}

const callsOf: Record<Shareable['kind'], Calls> = {
  assistant: {
    list: (assistantId, signal) => call(listAssistantShares, { params: { assistantId }, signal }),
    add: (assistantId, body) => call(shareAssistant, { params: { assistantId }, body }),
    remove: (assistantId, assistantShareId) =>
      call(unshareAssistant, { params: { assistantId, assistantShareId } }),
    editors: ['company'],
  },
  prompt: {
    list: (promptId, signal) => call(listPromptShares, { params: { promptId }, signal }),
    add: (promptId, body) => call(sharePrompt, { params: { promptId }, body }),
    remove: (promptId, promptShareId) => call(unsharePrompt, { params: { promptId, promptShareId } }),
    editors: ['company', 'group', 'person', 'project'],
  },
  tool_set: {
    list: (toolSetId, signal) => call(listToolSetShares, { params: { toolSetId }, signal }),
    add: (toolSetId, { recipient }) => call(shareToolSet, { params: { toolSetId }, body: { recipient } }),
    remove: (toolSetId, toolShareId) => call(unshareToolSet, { params: { toolSetId, toolShareId } }),
    editors: [],
  },
}

/** Returns the recipients that can get the right to edit a thing. */
export const editorsOf = ({ kind }: Shareable) => callsOf[kind].editors

const keyOf = ({ kind, id }: Shareable) => ['shares', kind, id]

/** Returns with whom a thing is shared, and with whom the person may share it. */
export function useShares(thing: Shareable) {
  return useQuery({
    queryKey: keyOf(thing),
    queryFn: ({ signal }) => callsOf[thing.kind].list(thing.id, signal),
    gcTime: 0,
  })
}

/** Returns the mutations that add a share, or change its access, and end one. */
export function useChangeShares(thing: Shareable) {
  const key = keyOf(thing)
  const calls = callsOf[thing.kind]
  const add = useMutation({
    mutationFn: (share: NewShare) => calls.add(thing.id, share),
    onSuccess: (shares) => queryClient.setQueryData<Shares>(key, shares),
    onSettled: readAgain,
  })
  const remove = useMutation({
    mutationFn: ({ id }: Share) => calls.remove(thing.id, id),
    onSettled: () => Promise.all([queryClient.invalidateQueries({ queryKey: key }), readAgain()]),
  })
  return { add, remove }
}

/** Refetches the lists that show whether a thing is shared. */
async function readAgain(): Promise<void> {
  for (const list of ['assistants', 'prompts']) await queryClient.invalidateQueries({ queryKey: [list] })
}

/** Returns companies, groups and people whose name contains the typed text, and projects if they are wanted. */
export function useRecipients(typed: string, withProjects: boolean) {
  const q = useSettled(typed.trim())
  const found = useQuery({
    queryKey: ['share-recipients', q, withProjects],
    queryFn: ({ signal }) =>
      call(findRecipients, { query: { q, ...(withProjects && { projects: 'true' as const }) }, signal }),
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
