import type { OfferedSchedule } from '#shared/chat/schedules/schedules.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useAction } from '../../../platform/lib/use-action.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { answer } from '../schedule-actions.ts'

/** Schedules that colleagues offer, to accept or decline. */
export function OfferedSchedules({ offered }: { offered: OfferedSchedule[] }) {
  const { t } = useTranslation('schedules')
  if (offered.length === 0) return null
  return (
    <section
      aria-label={t('offer.offered')}
      className="rounded-card border border-accent-soft bg-accent-soft/40"
    >
      <h2 className="px-4 pt-3 text-13 font-medium">{t('offer.offered')}</h2>
      <ul className="divide-y divide-line">
        {offered.map((one) => (
          <Offer key={one.id} offer={one} />
        ))}
      </ul>
    </section>
  )
}

function Offer({ offer: { id, name, by, sentence } }: { offer: OfferedSchedule }) {
  const { t } = useTranslation('schedules')
  const reply = (accept: boolean) => async () => {
    try {
      await answer(id, accept)
      if (accept) void toast.success(t('offer.accepted', { name }))
    } catch (error) {
      void toast.error(errorText(t, error))
    }
  }
  const accept = useAction(reply(true))
  const decline = useAction(reply(false))
  return (
    <li className="flex flex-wrap items-center gap-3 px-4 py-3">
      <span className="min-w-0 flex-1 basis-60">
        <span className="block truncate text-14 font-medium">{name}</span>
        <span className="block truncate text-13 text-ink-2">{sentence}</span>
        <span className="block text-12 text-ink-3">{t('offer.by', { name: by })}</span>
      </span>
      <Button variant="ghost" busy={decline.isPending} onClick={() => void decline.run()}>
        {t('offer.decline')}
      </Button>
      <Button variant="primary" busy={accept.isPending} onClick={() => void accept.run()}>
        {t('offer.accept')}
      </Button>
    </li>
  )
}
