import { useState } from 'react'
import { type ScheduleLimits, setScheduleLimits } from '#shared/chat/schedules/schedule-administration.ts'
import { errorText } from '../../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { call } from '../../../../platform/lib/api/call.ts'
import { queryClient } from '../../../../platform/lib/api/query-client.ts'
import { useAction } from '../../../../platform/lib/use-action.ts'
import { Button } from '../../../../platform/ui/button.tsx'
import { Field } from '../../../../platform/ui/field.tsx'
import { NumberInput } from '../../../../platform/ui/number-input.tsx'
import { toast } from '../../../../platform/ui/toasts/toasts.ts'
import { memberSchedulesKey } from './use-member-schedules.ts'

/** The shortest interval and the number of schedules of one person. */
export function ScheduleLimitsForm({ limits }: { limits: ScheduleLimits }) {
  const { t } = useTranslation('schedules')
  const [edited, setEdited] = useState<ScheduleLimits | null>(null)
  const shown = edited ?? limits
  const { run, isPending } = useAction(async () => {
    try {
      await call(setScheduleLimits, { body: shown })
      await queryClient.invalidateQueries({ queryKey: memberSchedulesKey })
      setEdited(null)
      void toast.success(t('admin.limits_saved'))
    } catch (error) {
      void toast.error(errorText(t, error))
    }
  })
  return (
    <form
      className="mb-5 flex flex-wrap items-end gap-4 rounded-card border border-line p-4"
      onSubmit={(event) => {
        event.preventDefault()
        void run()
      }}
    >
      <Field label={t('admin.min_minutes')} className="w-56">
        <NumberInput
          min={1}
          max={1440}
          fallback={5}
          value={shown.min_minutes}
          onValueChange={(min_minutes) => setEdited({ ...shown, min_minutes })}
        />
      </Field>
      <Field label={t('admin.max_per_person')} className="w-56">
        <NumberInput
          min={0}
          max={10_000}
          fallback={100}
          value={shown.max_per_person}
          onValueChange={(max_per_person) => setEdited({ ...shown, max_per_person })}
        />
      </Field>
      <Button type="submit" busy={isPending} disabled={edited === null}>
        {t('save')}
      </Button>
    </form>
  )
}
