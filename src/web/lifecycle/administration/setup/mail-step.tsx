import { useQuery } from '@tanstack/react-query'
import { getMailSettings, type MailSettings } from '#shared/lifecycle/setup/setup.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { ReadFailed } from '../read-failed.tsx'
import { MailFields } from './mail-fields.tsx'
import { mailKey, useMailForm } from './use-mail-form.ts'
import type { StepProps } from './use-setup.ts'

/** Mail server setup. A test mail to the user must succeed before the settings are saved. */
export function MailStep({ isDone, onDone }: StepProps) {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: mailKey,
    queryFn: ({ signal }) => call(getMailSettings, { signal }),
  })
  if (isPending) return <Skeletons className="grid gap-2" sizes={['h-12', 'h-12', 'h-12']} />
  if (error) return <ReadFailed error={error} onRetry={refetch} />
  return <MailForm key={JSON.stringify(data)} settings={data} isDone={isDone} onDone={onDone} />
}

function MailForm({ settings, isDone, onDone }: StepProps & { settings: MailSettings }) {
  const { t } = useTranslation('setup')
  const form = useMailForm({ settings, onDone })
  const isFixed = settings.source === 'environment'
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        form.submit()
      }}
    >
      {isFixed && <Callout>{t('mail.fixed', { names: settings.fixed_by.join(', ') })}</Callout>}
      <MailFields form={form} isFixed={isFixed} hasPassword={settings.has_password} />
      <MailAnswer form={form} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant={isDone ? 'secondary' : 'primary'} busy={form.isBusy}>
          {t('mail.send')}
        </Button>
        {settings.source === 'database' && (
          <Button variant="danger-ghost" onClick={form.remove}>
            {t('mail.remove')}
          </Button>
        )}
      </div>
    </form>
  )
}

function MailAnswer({ form: { test, failure } }: { form: ReturnType<typeof useMailForm> }) {
  const { t } = useTranslation('setup')
  if (failure)
    return (
      <Callout tone="danger" title={t('mail.not_sent')}>
        {errorText(t, failure)}
      </Callout>
    )
  if (test && test.outcome !== 'sent')
    return (
      <Callout tone="danger" title={t(`mail.outcome.${test.outcome}.what`)}>
        {t(`mail.outcome.${test.outcome}.next`)}
        {test.said && <span className="block text-12 text-ink-2">{t('mail.said', { text: test.said })}</span>}
      </Callout>
    )
  if (!test) return null
  return (
    <Callout tone="success" title={t('mail.sent', { to: test.to })}>
      {t('mail.look')}
    </Callout>
  )
}
