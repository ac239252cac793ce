import { useState } from 'react'
import { API_BASE } from '#shared/platform/http.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { formatDate } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useAction } from '../../../platform/lib/use-action.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { CopyButton } from '../../../platform/ui/copy-button.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Input } from '../../../platform/ui/input.tsx'
import { SecretDialog } from '../../../platform/ui/overlays/secret-dialog.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { renewSecret } from './delivery-actions.ts'
import { useTriggerSecret } from './use-deliveries.ts'

/** The address of a schedule that starts on a call, and its secret. */
export function CallAddress({ scheduleId }: { scheduleId: string }) {
  const { t } = useTranslation('schedules')
  const address = `${location.origin}${API_BASE}/triggers/${scheduleId}/deliveries`
  return (
    <div className="grid gap-4 rounded-card border border-line p-4">
      <Field label={t('call.address')} hint={t('call.address_hint')}>
        <Input
          readOnly
          value={address}
          className="font-mono text-13"
          onFocus={({ target }) => target.select()}
          end={<CopyButton name={t('call.copy_address')} size="xs" read={() => address} />}
        />
      </Field>
      <Secret scheduleId={scheduleId} />
    </div>
  )
}

function Secret({ scheduleId }: { scheduleId: string }) {
  const { t } = useTranslation('schedules')
  const { data } = useTriggerSecret(scheduleId)
  const [secret, setSecret] = useState<string | null>(null)
  const { run, isPending } = useAction(async () => {
    try {
      setSecret(await renewSecret(scheduleId))
    } catch (error) {
      void toast.error(errorText(t, error))
    }
  })
  const when = (time: string) => formatDate(time, { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-2">
      <div className="min-w-0 flex-1 basis-60">
        <h3 className="text-13 font-medium">{t('call.secret')}</h3>
        <p className="text-12 text-ink-3">
          {data &&
            (data.created_at ? t('call.secret_since', { time: when(data.created_at) }) : t('call.no_secret'))}
        </p>
        {data?.previous_until && (
          <p className="text-12 text-warning">
            {t('call.previous_until', { time: when(data.previous_until) })}
          </p>
        )}
      </div>
      <Button busy={isPending} disabled={!data} onClick={() => void run()}>
        {t(data?.created_at ? 'call.renew_secret' : 'call.make_secret')}
      </Button>
      {secret && (
        <SecretDialog
          title={t('call.secret')}
          description={t('call.secret_text')}
          secret={secret}
          names={{ secret: t('call.secret'), copy: t('call.copy_secret'), done: t('call.secret_done') }}
          onClose={() => setSecret(null)}
        />
      )}
    </div>
  )
}
