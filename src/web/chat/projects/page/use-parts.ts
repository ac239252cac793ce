import { useMutation, useQuery } from '@tanstack/react-query'
import { listFacts } from '#shared/chat/memory/memory.ts'
import { getProjectSpending, setProjectBudget } from '#shared/chat/project-budgets/project-budgets.ts'
import { listProjectSchedules } from '#shared/chat/project-lifecycle/project-schedules.ts'
import type { ProjectBudgetPeriod } from '#shared/money/budgets/project-spending.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { projectsKey } from '../use-projects.ts'

const spendingKey = (workspaceId: string) => [...projectsKey, 'spending', workspaceId]
/** Facts on the page of a project. */
export const FACTS_SHOWN = 3

/** The spending of a project and its budgets. */
export function useSpending(workspaceId: string) {
  return useQuery({
    queryKey: spendingKey(workspaceId),
    queryFn: ({ signal }) => call(getProjectSpending, { params: { workspaceId }, signal }),
  })
}

/** Sets or removes the budget of a period. */
export function useSetBudget(workspaceId: string) {
  return useMutation({
    mutationFn: (body: { period: ProjectBudgetPeriod; amount: number | null }) =>
      call(setProjectBudget, { params: { workspaceId }, body }),
    onSuccess: (spending) => queryClient.setQueryData(spendingKey(workspaceId), spending),
    onError: () => queryClient.invalidateQueries({ queryKey: spendingKey(workspaceId) }),
  })
}

/** The person's schedules in a project. */
export function useProjectSchedules(workspaceId: string) {
  return useQuery({
    queryKey: [...projectsKey, 'schedules', workspaceId],
    queryFn: ({ signal }) => call(listProjectSchedules, { params: { workspaceId }, signal }),
  })
}

/** The newest facts of a project. */
export function useProjectFacts(workspaceId: string) {
  return useQuery({
    queryKey: [...projectsKey, 'facts', workspaceId],
    queryFn: ({ signal }) =>
      call(listFacts, { query: { workspace_id: workspaceId, limit: FACTS_SHOWN }, signal }),
  })
}
