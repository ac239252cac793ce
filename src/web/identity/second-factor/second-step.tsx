import { useState } from 'react'
import {
  beginRequiredSetUp,
  finishRequiredSetUp,
  giveSecondFactor,
  type SecondStep as Step,
} from '#shared/identity/accounts/second-factor.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { Button } from '../../platform/ui/button.tsx'
import { CodeAppSetUp } from './code-app-set-up.tsx'
import { CodeField } from './code-field.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

type SecondStepProps = {
  step: Step
  /** Called with the token after the second step. */
  onToken: (token: string) => void
  onRestart: () => void
}

/** Second step after a correct password: asks for a code, or sets up the second factor the company requires. */
export function SecondStep({ step, onToken, onRestart }: SecondStepProps) {
  const { t } = useTranslation('login')
  const [isDone, setDone] = useState(false)
  return (
    <>
      {step.factors.length === 0 ? (
        <RequiredSetUp ticket={step.ticket} onToken={onToken} onDone={() => setDone(true)} />
      ) : (
        <Proofs step={step} onToken={onToken} />
      )}
      {!isDone && (
        <p className="mt-6 text-center text-13">
          <Button variant="link" onClick={onRestart}>
            {t('second_step.again')}
          </Button>
        </p>
      )}
    </>
  )
}

function Proofs({ step, onToken }: Pick<SecondStepProps, 'step' | 'onToken'>) {
  const { factors, ticket } = step
  return (
    <div className="flex flex-col gap-4">
      {factors.includes('passkey') && <PasskeyButton ticket={ticket} onToken={onToken} />}
      {factors.some((one) => one !== 'passkey') && <CodeForm step={step} onToken={onToken} />}
    </div>
  )
}

function CodeForm({ step, onToken }: Pick<SecondStepProps, 'step' | 'onToken'>) {
  const { t } = useTranslation('login')
  const [isRecovery, setRecovery] = useState(false)
  const [code, setCode] = useState('')
  const giving = useAction(
    () => call(giveSecondFactor, { body: { ticket: step.ticket, code } }),
    ({ access_token }) => onToken(access_token),
  )
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (code.trim()) void giving.run()
      }}
    >
      <CodeField
        key={String(isRecovery)}
        isRecovery={isRecovery}
        value={code}
        onChange={setCode}
        error={giving.error}
      />
      <Button type="submit" variant="primary" size="lg" wide busy={giving.isPending}>
        {t('second_step.confirm')}
      </Button>
      {step.factors.includes('recovery_code') && (
        <Button
          variant="link"
          className="self-center"
          onClick={() => {
            setRecovery(!isRecovery)
            setCode('')
          }}
        >
          {t(isRecovery ? 'second_step.use_app' : 'second_step.use_recovery')}
        </Button>
      )}
    </form>
  )
}

type RequiredSetUpProps = Pick<SecondStepProps, 'onToken'> & { ticket: string; onDone: () => void }

function RequiredSetUp({ ticket, onToken, onDone }: RequiredSetUpProps) {
  const [done, setDone] = useState<{ token: string; codes: string[] } | null>(null)
  if (done) return <RecoveryCodes codes={done.codes} onDone={() => onToken(done.token)} />
  return (
    <CodeAppSetUp
      begin={() => call(beginRequiredSetUp, { body: { ticket } })}
      confirm={async (code) => {
        const answer = await call(finishRequiredSetUp, { body: { ticket, code } })
        setDone({ token: answer.access_token, codes: answer.recovery_codes })
        onDone()
      }}
    />
  )
}
