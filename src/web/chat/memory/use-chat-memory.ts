import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type ChatMemory, getChatMemory } from '#shared/chat/memory/memory.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'

/** A reply as its memory is shown. */
export type MemoryOfReply = { sessionId: string; messageId: string; createdAt: string; isLast: boolean }

const memoryKey = ['memory']
const keyOfChat = (sessionId: string) => [...memoryKey, 'chat', sessionId]

/** A model proposes facts in the background after its reply. Delays of the reads for them. */
const PROPOSAL_DELAYS_MS = [2_000, 5_000, 12_000]
const FRESH_MS = 60_000

/** Facts that a chat's replies used, its proposals and its switches. */
export function useChatMemory(sessionId: string) {
  return useQuery({
    queryKey: keyOfChat(sessionId),
    queryFn: ({ signal }): Promise<ChatMemory> => call(getChatMemory, { params: { sessionId }, signal }),
    staleTime: 30_000,
  })
}

const asked = new Set<string>()

/** Reads memory again after a new reply, and a few times more until its proposals are there. */
export function useFreshMemory(sessionId: string, messageId: string, createdAt: string): void {
  useEffect(() => {
    if (asked.has(messageId) || Date.now() - new Date(createdAt).getTime() > FRESH_MS) return
    asked.add(messageId)
    const read = () => void queryClient.invalidateQueries({ queryKey: keyOfChat(sessionId) })
    read()
    for (const delay of PROPOSAL_DELAYS_MS) setTimeout(read, delay)
  }, [sessionId, messageId, createdAt])
}

/** Reads everything about memory again. */
export const refreshMemory = () => queryClient.invalidateQueries({ queryKey: memoryKey })

/** Query keys of the page of facts. */
export const factsKey = [...memoryKey, 'facts']
export const settingsKey = [...memoryKey, 'settings']
