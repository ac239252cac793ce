import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { exportUsage, type UsageModel } from '#shared/money/billing/billing.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { currentLanguage, useTranslation } from '../../platform/i18n/i18n.ts'
import { openRoute } from '../../platform/lib/api/call.ts'
import { Button } from '../../platform/ui/button.tsx'
import { saveFile } from '../../platform/ui/files/save-file.ts'
import { Select } from '../../platform/ui/select.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { modelText } from './model-text.ts'
import { keyOf } from './usage-period.ts'
import type { UsageFilter } from './use-usage-filter.ts'

type UsageToolsProps = {
  filter: UsageFilter
  /** Query parameters of the ledger: the filter with its time range. */
  query: { from?: string; to?: string; kind?: 'usage' | 'money'; model?: string }
  models: readonly UsageModel[]
  onChange: (part: Partial<UsageFilter>) => void
}

/** Filters of the ledger, and an export of the filtered entries. */
export function UsageTools({ filter, query, models, onChange }: UsageToolsProps) {
  const { t } = useTranslation('common')
  const saving = useMutation({
    mutationFn: async () => {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
      const language = currentLanguage()
      const answer = await openRoute(exportUsage, { query: { ...query, time_zone: timeZone, language } })
      saveFile(await answer.blob(), `${t('billing.file.name')}-${keyOf(new Date())}.csv`)
    },
    onError: (error) => toast.error(errorText(t, error)),
  })
  const named = models.flatMap(({ model_name }) => model_name ?? [])
  const choices = filter.model && !named.includes(filter.model) ? [filter.model, ...named] : named
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Select
        aria-label={t('billing.filter.kind')}
        size="sm"
        value={filter.kind ?? ''}
        options={['', 'usage', 'money'].map((value) => ({
          value,
          label: t(`billing.filter.${value || 'all'}`),
        }))}
        onValueChange={(value) => onChange({ kind: value === 'usage' || value === 'money' ? value : null })}
      />
      {choices.length > 0 && (
        <Select
          aria-label={t('billing.columns.model')}
          size="sm"
          className="max-w-56"
          value={filter.model ?? ''}
          options={[
            { value: '', label: t('billing.filter.all_models') },
            ...choices.map((value) => ({ value, label: modelText(value, t) })),
          ]}
          onValueChange={(value) => onChange({ model: value || null })}
        />
      )}
      <Button
        size="sm"
        busy={saving.isPending}
        icon={<Download aria-hidden className="icon-14" />}
        aria-label={t('billing.file.download')}
        onClick={() => saving.mutate()}
      >
        CSV
      </Button>
    </div>
  )
}
