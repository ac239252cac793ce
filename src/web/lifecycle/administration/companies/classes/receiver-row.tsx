import { useState } from 'react'
import type { ClassReceiver, CompanyClass } from '#shared/models/data-classes/data-classes.ts'
import { errorText } from '../../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { Checkbox } from '../../../../platform/ui/checkbox.tsx'
import { Select } from '../../../../platform/ui/select.tsx'
import { toast } from '../../../../platform/ui/toasts/toasts.ts'
import { useSetReceiver } from './use-classes.ts'

type ReceiverRowProps = { companyId: string; receiver: ClassReceiver; classes: readonly CompanyClass[] }

/** Sets whether a provider receives everything, or only the ticked classes. */
export function ReceiverRow({ companyId, receiver, classes }: ReceiverRowProps) {
  const { t } = useTranslation('admin')
  const setting = useSetReceiver(companyId)
  const name = receiver.kind === 'models' ? receiver.name : t(`classes.${receiver.kind}`)
  // The choice shows before it is stored.
  const [picked, pick] = useState<string[] | null | undefined>(undefined)
  const chosen = picked === undefined ? receiver.classes : picked
  const set = (next: string[] | null) => {
    pick(next)
    setting.mutate(
      { receiver: receiver.id, classes: next },
      { onError: (error) => void toast.error(errorText(t, error)), onSettled: () => pick(undefined) },
    )
  }
  return (
    <li className="px-4 py-2.5 text-13">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="min-w-0 flex-1 basis-48 font-medium break-words">{name}</span>
        <Select
          aria-label={t('classes.receives', { name })}
          value={chosen === null ? 'everything' : 'only'}
          options={(['everything', 'only'] as const).map((value) => ({
            value,
            label: t(`classes.${value}`),
          }))}
          onValueChange={(value) => set(value === 'everything' ? null : classes.map(({ id }) => id))}
        />
      </div>
      {chosen !== null && (
        <fieldset className="mt-2 flex flex-wrap gap-x-5 gap-y-1">
          <legend className="sr-only">{t('classes.receives', { name })}</legend>
          {classes.map((one) => (
            <Checkbox
              key={one.id}
              label={one.name}
              checked={chosen.includes(one.id)}
              onCheckedChange={(isOn) =>
                set(isOn ? [...chosen, one.id] : chosen.filter((id) => id !== one.id))
              }
            />
          ))}
          {chosen.length === 0 && <p className="basis-full text-ink-3">{t('classes.nothing')}</p>}
        </fieldset>
      )}
    </li>
  )
}
