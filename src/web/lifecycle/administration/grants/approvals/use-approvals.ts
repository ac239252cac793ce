import { useMutation, useQuery } from '@tanstack/react-query'
import {
  listToolApprovals,
  removeToolApproval,
  setToolApproval,
  type Who,
} from '#shared/tools/approvals/approvals.ts'
import { call } from '../../../../platform/lib/api/call.ts'
import { queryClient } from '../../../../platform/lib/api/query-client.ts'

const keyOf = (companyId: string) => ['tool-approvals', companyId]

export function useApprovals(companyId: string) {
  return useQuery({
    queryKey: keyOf(companyId),
    queryFn: ({ signal }) => call(listToolApprovals, { params: { companyId }, signal }),
    enabled: companyId !== '',
  })
}

type Wish = { approver: Who; deputy: Who | null; deputy_minutes: number; deadline_minutes: number }

export function useNameApprover(companyId: string, onDone: () => void) {
  return useMutation({
    mutationFn: ({ toolId, ...body }: Wish & { toolId: string }) =>
      call(setToolApproval, { params: { companyId, approvedToolId: toolId }, body }),
    onSuccess: onDone,
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf(companyId) }),
  })
}

export function useRemoveApproval(companyId: string, onDone: () => void) {
  return useMutation({
    mutationFn: (toolId: string) =>
      call(removeToolApproval, { params: { companyId, approvedToolId: toolId } }),
    onSuccess: onDone,
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf(companyId) }),
  })
}
