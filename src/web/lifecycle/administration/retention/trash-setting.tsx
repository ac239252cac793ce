import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { getTrashRule, setTrashRule } from '#shared/chat/trash/trash.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { Select } from '../../../platform/ui/select.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { timeOf } from './retention-row.tsx'

const trashRule = queryOptions({
  queryKey: ['trash-rule'],
  queryFn: ({ signal }) => call(getTrashRule, { signal }),
})

const CHOICES = [0, 7, 14, 30, 60, 90, 180, 365]

/** Sets how long deleted chats and documents can be restored. */
export function TrashSetting() {
  const { t } = useTranslation('admin')
  const id = useId()
  const { data } = useQuery(trashRule)
  const setting = useMutation({
    mutationFn: (days: number) => call(setTrashRule, { body: { days } }),
    onSuccess: (saved) => {
      queryClient.setQueryData(trashRule.queryKey, saved)
      void toast.success(t('administration.changed'))
    },
    onError: (error) => void toast.error(errorText(t, error)),
  })
  if (!data) return null
  const shown = setting.isPending ? setting.variables : data.days
  const choices = CHOICES.includes(shown) ? CHOICES : [...CHOICES, shown].sort((a, b) => a - b)
  return (
    <section className="mt-6">
      <h3 className="mb-3 text-13 font-medium">{t('trash.title')}</h3>
      <div className="admin-card retention-row">
        <span id={id}>
          <span className="block font-medium">{t('trash.label')}</span>
          <span className="block text-12 text-ink-3">{t('trash.note')}</span>
        </span>
        <Select
          aria-labelledby={id}
          value={String(shown)}
          disabled={setting.isPending}
          options={choices.map((days) => ({
            ...{ value: String(days), label: days === 0 ? t('trash.off') : timeOf(days, t) },
          }))}
          onValueChange={(value) => setting.mutate(Number(value))}
        />
      </div>
    </section>
  )
}
