import { useMutation, useQuery } from '@tanstack/react-query'
import {
  type HeldKind,
  liftHold,
  listHoldSubjects,
  listHolds,
  placeHold,
} from '#shared/lifecycle/legal-holds/legal-holds.ts'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { call } from '../../../../platform/lib/api/call.ts'
import { queryClient } from '../../../../platform/lib/api/query-client.ts'
import { useSettled } from '../../../../platform/lib/api/use-settled.ts'
import { toast } from '../../../../platform/ui/toasts/toasts.ts'

/** Returns a page of the legal holds. The previous page stays visible while the next one loads. */
export function useHolds(page: number) {
  return useQuery({
    queryKey: ['legal-holds', page],
    queryFn: ({ signal }) => call(listHolds, { query: { page: String(page) }, signal }),
    placeholderData: (before) => before,
  })
}

/** Searches users or projects by name. */
export function useHoldSubjects(kind: HeldKind, typed: string) {
  const q = useSettled(typed.trim())
  return useQuery({
    queryKey: ['legal-hold-subjects', kind, q],
    queryFn: ({ signal }) => call(listHoldSubjects, { query: { kind, ...(q ? { q } : {}) }, signal }),
    placeholderData: (before, asked) => (asked?.queryKey[1] === kind ? before : undefined),
  })
}

export function usePlaceHold(onDone: () => void) {
  const onSuccess = useSaved(onDone)
  return useMutation({
    mutationFn: (body: { kind: HeldKind; subject_id: string; reason: string }) => call(placeHold, { body }),
    onSuccess,
  })
}

export function useLiftHold(onDone: () => void) {
  const onSuccess = useSaved(onDone)
  return useMutation({
    mutationFn: (body: { hold_id: string; reason: string }) => call(liftHold, { body }),
    onSuccess,
  })
}

function useSaved(onDone: () => void) {
  const { t } = useTranslation('admin')
  return () => {
    void queryClient.invalidateQueries({ queryKey: ['legal-holds'] })
    void queryClient.invalidateQueries({ queryKey: ['legal-hold-subjects'] })
    void toast.success(t('administration.changed'))
    onDone()
  }
}
