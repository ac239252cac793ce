import { useMutation, useQuery } from '@tanstack/react-query'
import * as contract from '#shared/chat/chat-access/chat-access.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'

const key = ['chat-accesses']

export function useAccesses(page: number) {
  return useQuery({
    queryKey: [...key, page],
    queryFn: ({ signal }) => call(contract.listChatAccesses, { query: { page: String(page) }, signal }),
    placeholderData: (before) => before,
  })
}

/** Starts an access to a user's chats. */
export function useOpenChats(userId: string, onDone: () => void) {
  return useMutation({
    mutationFn: (body: { reason: string; hours: number }) =>
      call(contract.openChats, { params: { userId }, body }),
    onSuccess: async () => {
      onDone()
      await queryClient.invalidateQueries({ queryKey: key })
    },
  })
}

export function useCloseChats() {
  const { t } = useTranslation('admin')
  return useMutation({
    mutationFn: (accessId: string) => call(contract.closeChats, { params: { accessId } }),
    onError: (error) => toast.error(errorText(t, error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: key }),
  })
}

/** Returns the chats an access covers. They are not cached after the view closes. */
export function useOpenedChats(accessId: string, page: number) {
  return useQuery({
    queryKey: [...key, accessId, 'chats', page],
    gcTime: 0,
    queryFn: ({ signal }) =>
      call(contract.listOpenedChats, { params: { accessId }, query: { page: String(page) }, signal }),
  })
}

export function useOpenedChat(accessId: string, chatId: string, page: number) {
  return useQuery({
    queryKey: [...key, accessId, 'chats', chatId, page],
    gcTime: 0,
    queryFn: ({ signal }) =>
      call(contract.readOpenedChat, { params: { accessId, chatId }, query: { page: String(page) }, signal }),
  })
}
