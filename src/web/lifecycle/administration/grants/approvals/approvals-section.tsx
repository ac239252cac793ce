import { Plus, UserCheck } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { ToolApproval } from '#shared/tools/approvals/approvals.ts'
import { errorText } from '../../../../platform/i18n/error-text.ts'
import { loadTexts, useTranslation } from '../../../../platform/i18n/i18n.ts'
import { nameOfTool } from '../../../../platform/i18n/tool-words.ts'
import { Button } from '../../../../platform/ui/button.tsx'
import { ConfirmDialog } from '../../../../platform/ui/overlays/confirm-dialog.tsx'
import { EmptyState } from '../../../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../../../platform/ui/states/skeleton.tsx'
import { toast } from '../../../../platform/ui/toasts/toasts.ts'
import { CompanyPicker } from '../../company-picker.tsx'
import { ReadFailed } from '../../read-failed.tsx'
import { useManagedCompanies } from '../../use-managed.ts'
import { ApprovalDialog } from './approval-dialog.tsx'
import { durationText } from './minutes.ts'
import { useApprovals, useRemoveApproval } from './use-approvals.ts'

const CompanyActions = lazy(async () => {
  const [file] = await Promise.all([import('./company-actions.tsx'), loadTexts('actions')])
  return { default: file.CompanyActions }
})

/** The tools whose calls a named person or group approves, for one company. */
export function ApprovalsSection() {
  const { t } = useTranslation(['admin', 'tool_ui'])
  const { data: companies = [] } = useManagedCompanies()
  const [chosen, setChosen] = useState<string | null>(null)
  const company = companies.find(({ id }) => id === chosen) ?? companies[0]
  const companyId = company?.id ?? ''
  const { data, error, isPending, refetch } = useApprovals(companyId)
  const [edited, setEdited] = useState<ToolApproval | 'new' | null>(null)
  const [removed, setRemoved] = useState<ToolApproval | null>(null)
  const removing = useRemoveApproval(companyId, () => setRemoved(null))
  return (
    <section aria-label={t('approvals.title')} className="grid gap-3 pt-4">
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-0 flex-1 basis-64 text-13 text-ink-2">{t('approvals.rule')}</p>
        {companies.length > 1 && (
          <CompanyPicker
            name={t('approvals.company')}
            companies={companies}
            value={companyId}
            emptyLabel={t('approvals.company')}
            onChoose={setChosen}
          />
        )}
        <Button
          size="sm"
          variant="primary"
          disabled={companyId === ''}
          icon={<Plus aria-hidden className="icon" />}
          onClick={() => setEdited('new')}
        >
          {t('approvals.add')}
        </Button>
      </div>
      {isPending && companyId !== '' && <Skeletons className="grid gap-2" sizes={['h-14', 'h-14']} />}
      {error && <ReadFailed error={error} onRetry={refetch} />}
      {data?.items.length === 0 && (
        <EmptyState icon={<UserCheck aria-hidden />} title={t('approvals.none')} />
      )}
      {data && data.items.length > 0 && (
        <ul className="admin-card divide-y divide-line">
          {data.items.map((item) => (
            <li key={item.tool_id} className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2.5 pr-2.5 pl-4">
              <span className="min-w-0 flex-1 basis-64">
                <span className="block font-medium wrap-anywhere">{nameOf(t, item)}</span>
                <span className="block text-13 text-ink-2 wrap-anywhere">{describe(t, item)}</span>
              </span>
              <span className="flex gap-1.5">
                <Button size="sm" onClick={() => setEdited(item)}>
                  {t('approvals.change')}
                </Button>
                <Button size="sm" variant="ghost" onClick={() => setRemoved(item)}>
                  {t('approvals.remove')}
                </Button>
              </span>
            </li>
          ))}
        </ul>
      )}
      {company && (
        <Suspense>
          <CompanyActions companyId={company.id} />
        </Suspense>
      )}
      {edited && company && (
        <ApprovalDialog
          company={company}
          approval={edited === 'new' ? null : edited}
          taken={data?.items.map(({ tool_id }) => tool_id) ?? []}
          onClose={() => setEdited(null)}
        />
      )}
      {removed && (
        <ConfirmDialog
          open
          onOpenChange={(isOpen) => isOpen || setRemoved(null)}
          title={t('approvals.remove_title', { tool: nameOf(t, removed) })}
          message={t('approvals.remove_text')}
          confirmLabel={t('approvals.remove')}
          busy={removing.isPending}
          onConfirm={() =>
            removing.mutate(removed.tool_id, { onError: (failure) => toast.error(errorText(t, failure)) })
          }
        />
      )}
    </section>
  )
}

type Translate = ReturnType<typeof useTranslation<['admin', 'tool_ui']>>['t']

const nameOf = (t: Translate, { tool_id, tool_name }: ToolApproval) =>
  nameOfTool(t, { tool_id, tool_name: tool_name ?? tool_id })

function describe(t: Translate, { approver, deputy, deputy_minutes, deadline_minutes }: ToolApproval) {
  const time = durationText(t, deadline_minutes)
  const by = approver ? t('approvals.by', { name: approver.name, time }) : t('approvals.gone', { time })
  if (!deputy) return by
  const then =
    deputy_minutes === 0
      ? t('approvals.deputy_at_once', { name: deputy.name })
      : t('approvals.deputy', { name: deputy.name, time: durationText(t, deputy_minutes ?? 0) })
  return `${by} ${then}`
}
