import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { CopyButton } from '../../platform/ui/copy-button.tsx'
import { Loader } from '../../platform/ui/states/loader.tsx'
import { CodeField } from './code-field.tsx'
import { QrCode } from './qr-code.tsx'

type CodeAppSetUpProps = {
  begin: () => Promise<{ secret: string; uri: string }>
  confirm: (code: string) => Promise<void>
}

/** Authenticator app setup: shows the secret to scan or type, and asks for a first code as proof. */
export function CodeAppSetUp({ begin, confirm }: CodeAppSetUpProps) {
  const { t } = useTranslation('login')
  const [code, setCode] = useState('')
  const beginning = useAction(begin)
  const confirming = useAction(() => confirm(code))
  const start = useEffectEvent(() => void beginning.run())
  useEffect(() => start(), [])
  if (beginning.error !== null)
    return (
      <Callout
        tone="danger"
        action={
          <Button size="sm" onClick={() => void beginning.run()}>
            {t('common:user.retry')}
          </Button>
        }
      >
        {t('second_step.failed')}
      </Callout>
    )
  if (!beginning.data) return <Loader text={t('common:loading')} />
  const { secret, uri } = beginning.data
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (code.trim()) void confirming.run()
      }}
    >
      <p className="text-13 text-ink-2">{t('second_step.scan')}</p>
      <QrCode text={uri} label={t('second_step.qr')} />
      <div className="text-13 text-ink-2">
        {t('second_step.or_type')}
        <span className="flex items-center gap-2">
          <span className="min-w-0 font-mono text-ink [overflow-wrap:anywhere]">
            {secret.match(/.{4}/g)?.join(' ')}
          </span>
          <CopyButton size="sm" name={t('second_step.copy')} read={() => secret} />
        </span>
      </div>
      <CodeField value={code} onChange={setCode} error={confirming.error} />
      <Button type="submit" variant="primary" size="lg" wide busy={confirming.isPending}>
        {t('second_step.confirm')}
      </Button>
    </form>
  )
}
