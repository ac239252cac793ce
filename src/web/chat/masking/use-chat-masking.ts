import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { chooseChatMasking, getChatMasking, listMaskedDetails } from '#shared/models/masking/masking.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'

const keyOf = (sessionId: string) => ['masking', sessionId]
const FRESH_MS = 60_000

/** Reads whether personal details of a chat are replaced, and how many were replaced in each reply. */
export function useChatMasking(sessionId: string) {
  return useQuery({
    queryKey: keyOf(sessionId),
    queryFn: ({ signal }) => call(getChatMasking, { params: { sessionId }, signal }),
    staleTime: 30_000,
  })
}

const asked = new Set<string>()

/** Reads the counts again after a new reply. */
export function useFreshMasking(sessionId: string, messageId: string, createdAt: string): void {
  useEffect(() => {
    if (asked.has(messageId) || Date.now() - new Date(createdAt).getTime() > FRESH_MS) return
    asked.add(messageId)
    void queryClient.invalidateQueries({ queryKey: keyOf(sessionId) })
  }, [sessionId, messageId, createdAt])
}

export function useMaskedDetails(sessionId: string, messageId: string, isOpen: boolean) {
  return useQuery({
    queryKey: [...keyOf(sessionId), messageId],
    queryFn: ({ signal }) => call(listMaskedDetails, { params: { sessionId, messageId }, signal }),
    enabled: isOpen,
  })
}

export function useChooseMasking(sessionId: string) {
  return useMutation({
    mutationFn: (is_on: boolean) => call(chooseChatMasking, { params: { sessionId }, body: { is_on } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['masking'] }),
  })
}
