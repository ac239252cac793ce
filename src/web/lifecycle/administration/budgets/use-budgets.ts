import { useMutation, useQuery } from '@tanstack/react-query'
import type { AdminBudgetKind } from '#shared/money/budgets/budget-kinds.ts'
import {
  type Budget,
  listBudgetSubjects,
  listBudgets,
  removeBudget,
  setBudget,
} from '#shared/money/budgets/budgets.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { useSettled } from '../../../platform/lib/api/use-settled.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'

const budgetsKey = ['budgets']

/** Returns a page of all budgets. The previous page stays visible while the next one loads. */
export function useBudgets(page: number) {
  return useQuery({
    queryKey: [...budgetsKey, page],
    queryFn: ({ signal }) => call(listBudgets, { query: { page: String(page) }, signal }),
    placeholderData: (before) => before,
  })
}

/** Returns possible budget subjects whose name matches the search text. */
export function useBudgetSubjects(kind: Exclude<AdminBudgetKind, 'house'>, typed: string) {
  const q = useSettled(typed.trim())
  return useQuery({
    queryKey: ['budget-subjects', kind, q],
    queryFn: ({ signal }) => call(listBudgetSubjects, { query: { kind, ...(q ? { q } : {}) }, signal }),
    placeholderData: (before, asked) => (asked?.queryKey[1] === kind ? before : undefined),
  })
}

export type BudgetWish = Pick<Budget, 'period' | 'subject_id' | 'amount'> & { kind: AdminBudgetKind }

/** Creates or replaces a budget. */
export function useSetBudget(onDone: () => void) {
  const { t } = useTranslation('admin')
  return useMutation({
    mutationFn: (wish: BudgetWish) => call(setBudget, { body: wish }),
    onSuccess: () => {
      toast.success(t('administration.changed'))
      onDone()
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: budgetsKey }),
  })
}

/** Removes a budget and reports a failure. */
export function useRemoveBudget() {
  const { t } = useTranslation('admin')
  return useMutation({
    mutationFn: (budgetId: string) => call(removeBudget, { params: { budgetId } }),
    onSuccess: () => toast.success(t('budgets.removed')),
    onError: (error) => toast.error(errorText(t, error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: budgetsKey }),
  })
}
