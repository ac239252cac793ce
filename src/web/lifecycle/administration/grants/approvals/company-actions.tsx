import { useMutation, useQuery } from '@tanstack/react-query'
import {
  type ActionTool,
  type CompanyAction,
  listCompanyActions,
  setCompanyAction,
} from '#shared/tools/tools/company-actions.ts'
import type { ToolPolicy } from '#shared/tools/tools/policy.ts'
import { errorText } from '../../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { nameOfTool } from '../../../../platform/i18n/tool-words.ts'
import { call } from '../../../../platform/lib/api/call.ts'
import { queryClient } from '../../../../platform/lib/api/query-client.ts'
import { Select } from '../../../../platform/ui/select.tsx'
import { toast } from '../../../../platform/ui/toasts/toasts.ts'
import { ReadFailed } from '../../read-failed.tsx'

const policies = ['auto', 'ask', 'never'] as const

/** How far the people of a company may let assistants act in mail, calendar and tickets. */
export function CompanyActions({ companyId }: { companyId: string }) {
  const { t } = useTranslation(['actions', 'tool_ui'])
  const queryKey = ['action-policies', companyId]
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(listCompanyActions, { params: { companyId }, signal }),
  })
  const changing = useMutation({
    mutationFn: ({ actionTool, policy }: { actionTool: ActionTool; policy: ToolPolicy }) =>
      call(setCompanyAction, { params: { companyId, actionTool }, body: { policy } }),
    onError: (failure) => toast.error(errorText(t, failure)),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  })
  const nameOf = ({ tool_id }: CompanyAction) => nameOfTool(t, { tool_id, tool_name: tool_id })
  return (
    <section aria-label={t('company.title')} className="grid gap-3 pt-4">
      <div>
        <h3 className="text-13 font-semibold">{t('company.title')}</h3>
        <p className="text-13 text-ink-2">{t('company.rule')}</p>
      </div>
      {error && <ReadFailed error={error} onRetry={refetch} />}
      <ul className="admin-card divide-y divide-line">
        {data?.items.map((item) => (
          <li key={item.tool_id} className="flex flex-wrap items-center gap-3 py-2 pr-2.5 pl-4">
            <span className="min-w-0 flex-1 basis-40 font-medium">{nameOf(item)}</span>
            <Select
              className="w-56 max-md:w-full"
              aria-label={nameOf(item)}
              value={item.policy}
              options={policies.map((value) => ({ value, label: t(`company.${value}`) }))}
              onValueChange={(value) => {
                const policy = policies.find((one) => one === value)
                if (policy) changing.mutate({ actionTool: item.tool_id, policy })
              }}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
