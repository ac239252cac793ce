import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { listMemberSchedules, stopMemberSchedule } from '#shared/chat/schedules/schedule-administration.ts'
import { errorText } from '../../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { call } from '../../../../platform/lib/api/call.ts'
import { queryClient } from '../../../../platform/lib/api/query-client.ts'
import { toast } from '../../../../platform/ui/toasts/toasts.ts'

export const MEMBER_SCHEDULES_PAGE = 50
export const memberSchedulesKey = ['member-schedules']

export function useMemberSchedules(page: number) {
  return useQuery({
    queryKey: [...memberSchedulesKey, page],
    queryFn: ({ signal }) =>
      call(listMemberSchedules, { query: { page, limit: MEMBER_SCHEDULES_PAGE }, signal }),
    placeholderData: keepPreviousData,
  })
}

/** Stops a schedule of somebody else. */
export function useStopSchedule(onSettled: () => void) {
  const { t } = useTranslation('schedules')
  return useMutation({
    mutationFn: (memberScheduleId: string) => call(stopMemberSchedule, { params: { memberScheduleId } }),
    onSuccess: () => toast.success(t('admin.stopped')),
    onError: (error) => toast.error(errorText(t, error)),
    onSettled: () => {
      onSettled()
      return queryClient.invalidateQueries({ queryKey: memberSchedulesKey })
    },
  })
}
