import { CircleCheck } from 'lucide-react'
import { Suspense, useState } from 'react'
import {
  beginCodeApp,
  confirmCodeApp,
  type getSecondFactors,
  removeCodeApp,
  renewRecoveryCodes,
} from '#shared/identity/accounts/second-factor.ts'
import { CodeAppSetUp, RecoveryCodes } from '../../../identity/second-factor/second-factor.tsx'
import { formatDate } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { type Answer, call } from '../../../platform/lib/api/call.ts'
import { Badge } from '../../../platform/ui/badge.tsx'
import { Button } from '../../../platform/ui/button.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { ProofForm } from './proof-form.tsx'

type Factors = Answer<typeof getSecondFactors>
/** Current stage: proving identity, scanning the secret, or saving the codes. */
type Stage =
  | { kind: 'rest' }
  | { kind: 'proof'; wish: 'set_up' | 'renew' | 'remove' }
  | { kind: 'scan'; secret: { secret: string; uri: string } }
  | { kind: 'codes'; codes: string[] }

/** The authenticator app: set-up, removal, and new recovery codes. */
export function TwoStepSetting({ factors, onChanged }: { factors: Factors; onChanged: () => void }) {
  const { t } = useTranslation('common')
  const [stage, setStage] = useState<Stage>({ kind: 'rest' })
  const rest = () => setStage({ kind: 'rest' })

  async function act(wish: 'set_up' | 'renew' | 'remove', body: { current_password?: string }) {
    if (wish === 'set_up') return setStage({ kind: 'scan', secret: await call(beginCodeApp, { body }) })
    if (wish === 'renew')
      return setStage({ kind: 'codes', codes: (await call(renewRecoveryCodes, { body })).recovery_codes })
    await call(removeCodeApp, { body })
    toast.success(t('user.two_step.removed'))
    rest()
    onChanged()
  }

  return (
    <div className="grid max-w-90 gap-3">
      {stage.kind === 'rest' && (
        <AtRest factors={factors} onWish={(wish) => setStage({ kind: 'proof', wish })} />
      )}
      {stage.kind === 'proof' && (
        <ProofForm
          failed={t('user.two_step.failed')}
          onProof={(body) => act(stage.wish, body)}
          onCancel={rest}
        />
      )}
      <Suspense fallback={null}>
        {stage.kind === 'scan' && (
          <>
            <CodeAppSetUp
              begin={async () => stage.secret}
              confirm={async (code) => {
                const { recovery_codes } = await call(confirmCodeApp, { body: { code } })
                setStage({ kind: 'codes', codes: recovery_codes })
                toast.success(t('user.two_step.done'))
                onChanged()
              }}
            />
            <Button variant="ghost" className="justify-self-start" onClick={rest}>
              {t('user.two_step.cancel')}
            </Button>
          </>
        )}
        {stage.kind === 'codes' && (
          <RecoveryCodes
            codes={stage.codes}
            onDone={() => {
              rest()
              onChanged()
            }}
          />
        )}
      </Suspense>
    </div>
  )
}

type AtRestProps = { factors: Factors; onWish: (wish: 'set_up' | 'renew' | 'remove') => void }

function AtRest({ factors: { app_since, recovery_codes_left, is_required }, onWish }: AtRestProps) {
  const { t } = useTranslation('common')
  if (!app_since)
    return (
      <div className="flex flex-wrap items-center gap-3">
        <Button onClick={() => onWish('set_up')}>{t('user.two_step.set_up')}</Button>
        {is_required && <span className="text-13 text-ink-2">{t('user.two_step.required')}</span>}
      </div>
    )
  return (
    <>
      <p className="flex flex-wrap items-center gap-2 text-13">
        <Badge tone="success" icon={<CircleCheck aria-hidden />}>
          {t('user.two_step.on')}
        </Badge>
        {t('user.two_step.since', { date: formatDate(app_since) })}
        <span className="text-ink-3">{t('user.two_step.codes_left', { count: recovery_codes_left })}</span>
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <Button size="sm" onClick={() => onWish('renew')}>
          {t('user.two_step.renew')}
        </Button>
        {is_required ? (
          <span className="text-13 text-ink-2">{t('user.two_step.required')}</span>
        ) : (
          <Button size="sm" variant="danger-ghost" onClick={() => onWish('remove')}>
            {t('user.two_step.remove')}
          </Button>
        )}
      </div>
    </>
  )
}
