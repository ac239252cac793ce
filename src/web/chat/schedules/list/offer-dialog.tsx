import { useState } from 'react'
import type { ListedSchedule } from '#shared/chat/schedules/schedules.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useAction } from '../../../platform/lib/use-action.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Dialog } from '../../../platform/ui/overlays/dialog.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { offerTo } from '../schedule-actions.ts'
import { useColleagues } from '../use-schedules.ts'

type Props = { schedule: ListedSchedule; onClose: () => void }

/** Offers a schedule to a colleague, or takes the offer back. */
export function OfferDialog({ schedule: { id, name, offered_to }, onClose }: Props) {
  const { t } = useTranslation('schedules')
  const { data } = useColleagues()
  const [chosen, setChosen] = useState('')
  const { run, isPending, error } = useAction(() => offerTo(id, offered_to ? null : chosen), onClose)
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('offer.title', { name })}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            {t('common:actions.cancel')}
          </Button>
          <Button
            variant="primary"
            busy={isPending}
            disabled={!offered_to && chosen === ''}
            onClick={() => void run()}
          >
            {t(offered_to ? 'offer.take_back' : 'offer.send')}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {error !== null && <Callout tone="danger">{errorText(t, error)}</Callout>}
        <p className="text-13 text-ink-2">
          {offered_to ? t('offered_to', { name: offered_to }) : t('offer.text')}
        </p>
        {!offered_to && (
          <Field
            label={t('offer.colleague')}
            hint={data?.items.length === 0 ? t('no_colleagues') : undefined}
          >
            <Select
              value={chosen}
              options={[
                { value: '', label: t('offer.choose') },
                ...(data?.items ?? []).map((one) => ({ value: one.id, label: one.name })),
              ]}
              onValueChange={setChosen}
            />
          </Field>
        )}
      </div>
    </Dialog>
  )
}
