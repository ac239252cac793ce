import { useMutation, useQuery } from '@tanstack/react-query'
import {
  type Budget,
  type BudgetKind,
  listBudgetSubjects,
  listBudgets,
  removeBudget,
  setBudget,
} from '#shared/money/budgets/budgets.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { useSettled } from '../use-managed.ts'

const budgetsKey = ['budgets']

/** One page of all budgets; the page before stays until the next one is there. */
export function useBudgets(page: number) {
  return useQuery({
    queryKey: [...budgetsKey, page],
    queryFn: ({ signal }) => call(listBudgets, { query: { page: String(page) }, signal }),
    placeholderData: (before) => before,
  })
}

/** What a budget can be for, whose name fits what is typed. */
export function useBudgetSubjects(kind: Exclude<BudgetKind, 'house'>, typed: string) {
  const q = useSettled(typed.trim())
  return useQuery({
    queryKey: ['budget-subjects', kind, q],
    queryFn: ({ signal }) => call(listBudgetSubjects, { query: { kind, ...(q ? { q } : {}) }, signal }),
    placeholderData: (before, asked) => (asked?.queryKey[1] === kind ? before : undefined),
  })
}

export type BudgetWish = Pick<Budget, 'kind' | 'period' | 'subject_id' | 'amount'>

/** Sets a budget, a new one or in place of the one before. */
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

/** Takes a budget away, and says when that failed. */
export function useRemoveBudget() {
  const { t } = useTranslation('admin')
  return useMutation({
    mutationFn: (budgetId: string) => call(removeBudget, { params: { budgetId } }),
    onSuccess: () => toast.success(t('budgets.removed')),
    onError: (error) => toast.error(errorText(t, error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: budgetsKey }),
  })
}
