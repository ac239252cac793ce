import { useMutation } from '@tanstack/react-query'
import { ActionTool } from '#shared/tools/tools/company-actions.ts'
import { setToolPolicy, type ToolPolicy } from '#shared/tools/tools/policy.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { nameOfTool } from '../../platform/i18n/tool-words.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { Select } from '../../platform/ui/select.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { useTools } from '../tools/tools.ts'

const policies = ['auto', 'ask', 'never'] as const
const actions: readonly string[] = ActionTool.options

/** The actions of assistants with the connected accounts: without asking, after asking, or never. */
export function OwnPolicies() {
  const { t } = useTranslation(['actions', 'tool_ui'])
  const { data: tools = [] } = useTools()
  const changing = useMutation({
    mutationFn: ({ toolId, policy }: { toolId: string; policy: ToolPolicy }) =>
      call(setToolPolicy, { params: { toolId }, body: { policy } }),
    onError: (failure) => toast.error(errorText(t, failure)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['tools'] }),
  })
  const shown = tools.filter(({ id }) => actions.includes(id))
  if (shown.length === 0) return null
  return (
    <section aria-label={t('policies.title')} className="grid gap-3">
      <div>
        <h2 className="text-13 font-semibold">{t('policies.title')}</h2>
        <p className="mt-1 text-13 text-ink-3">{t('policies.reason')}</p>
      </div>
      <ul className="divide-y divide-line rounded-card border border-line">
        {shown.map(({ id, ui_name, policy }) => {
          const name = nameOfTool(t, { tool_id: id, tool_name: ui_name })
          return (
            <li key={id} className="flex flex-wrap items-center gap-3 py-2 pr-2.5 pl-4">
              <span className="min-w-0 flex-1 basis-40 text-13 font-medium">{name}</span>
              <Select
                className="w-48 max-md:w-full"
                aria-label={name}
                value={policy}
                options={policies.map((value) => ({ value, label: t(`policies.${value}`) }))}
                onValueChange={(value) => {
                  const wanted = policies.find((one) => one === value)
                  if (wanted) changing.mutate({ toolId: id, policy: wanted })
                }}
              />
            </li>
          )
        })}
      </ul>
    </section>
  )
}
