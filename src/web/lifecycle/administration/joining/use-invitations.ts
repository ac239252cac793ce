import { useMutation, useQuery } from '@tanstack/react-query'
import {
  invite,
  listInvitations,
  sendInvitation,
  withdrawInvitation,
} from '#shared/identity/accounts/joining.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call, type Given } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'

const key = ['invitations']
const readAgain = () => queryClient.invalidateQueries({ queryKey: key })

/** Returns a page of invitations into the companies the user administers. */
export function useInvitations(page: number) {
  return useQuery({
    queryKey: [...key, page],
    queryFn: ({ signal }) => call(listInvitations, { query: { page: String(page) }, signal }),
    placeholderData: (before) => before,
  })
}

export type InvitationDraft = Given<typeof invite>['body']

export function useInvite() {
  return useMutation({ mutationFn: (body: InvitationDraft) => call(invite, { body }), onSettled: readAgain })
}

/** Resends or withdraws an invitation and shows a toast. */
export function useInvitation() {
  const { t } = useTranslation('admin')
  const onError = (error: Error) => void toast.error(errorText(t, error))
  const sending = useMutation({
    mutationFn: (invitationId: string) => call(sendInvitation, { params: { invitationId } }),
    onSuccess: () => toast.success(t('administration.invitations.again_done')),
    onError,
    onSettled: readAgain,
  })
  const withdrawing = useMutation({
    mutationFn: (invitationId: string) => call(withdrawInvitation, { params: { invitationId } }),
    onSuccess: () => toast.success(t('administration.invitations.withdrawn')),
    onError,
    onSettled: readAgain,
  })
  return { send: sending.mutate, withdraw: withdrawing.mutate }
}
