import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { followProfileLanguage, useTranslation } from '../../platform/i18n/i18n.ts'
import { useMe } from '../../platform/lib/me/me.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { ReadFailed } from './read-failed.tsx'
import { AddressStep } from './setup/address-step.tsx'
import { MailStep } from './setup/mail-step.tsx'
import { ModelStep } from './setup/model-step.tsx'
import { ReadyStep } from './setup/ready-step.tsx'
import { SetupSteps } from './setup/setup-steps.tsx'
import { SignUpStep } from './setup/sign-up-step.tsx'
import { finishSetup, steps, useSetup } from './setup/use-setup.ts'
import './administration.css'
import './setup/setup.css'

const places = [...steps, 'ready'] as const
const contents = { model: ModelStep, mail: MailStep, address: AddressStep, sign_up: SignUpStep }

/** Setup of an installation. Each step is verified when completed, can be postponed, and stays done. */
export function SetupView() {
  const { t } = useTranslation('setup')
  const navigate = useNavigate()
  const me = useMe()
  const { progress, decide } = useSetup()
  const { step: asked } = useSearch({ strict: false }) as { step?: string }
  const title = useRef<HTMLHeadingElement>(null)
  // The step shown on arrival. Completing it later does not navigate automatically.
  const [start, setStart] = useState<(typeof places)[number] | null>(null)
  if (progress.data && start === null) setStart(steps.find((step) => progress.data[step] === null) ?? 'ready')
  const place = places.find((one) => one === asked) ?? start ?? 'model'
  const at = places.indexOf(place)
  const show = (next: string | undefined) =>
    void navigate({ to: '/setup', search: { step: next ?? 'ready' } as never })
  const leave = async (href = '/') => {
    await finishSetup()
    await navigate({ href })
  }
  useEffect(() => {
    if (me) void followProfileLanguage(me.language)
  }, [me])
  useEffect(() => {
    document.title = `${t(`steps.${place}.title`)} · ${t('common:app_name')}`
    title.current?.focus()
  }, [place, t])
  const Step = place === 'ready' ? null : contents[place]
  return (
    <div className="setup">
      <SetupSteps place={place} progress={progress.data ?? null} onShow={show} onLeave={() => void leave()} />
      <main className="setup-page">
        <div className="setup-content">
          <h2 ref={title} tabIndex={-1}>
            {t(`steps.${place}.title`)}
          </h2>
          <p className="setup-hint">{t(`steps.${place}.hint`)}</p>
          {progress.isPending && <Skeletons className="grid gap-2" sizes={['h-12', 'h-12', 'h-12']} />}
          {progress.error && <ReadFailed error={progress.error} onRetry={progress.refetch} />}
          {progress.data && Step && place !== 'ready' && (
            <Step
              key={place}
              isDone={progress.data[place] === 'done'}
              onDone={() => decide({ step: place, outcome: 'done' })}
            />
          )}
          {progress.data && place === 'ready' && (
            <ReadyStep progress={progress.data} onLeave={(to) => void leave(to)} />
          )}
        </div>
        <footer className="setup-foot">
          <div>
            {at > 0 && (
              <Button size="lg" variant="ghost" onClick={() => show(places[at - 1])}>
                {t('back')}
              </Button>
            )}
            <span className="flex-1" />
            {place === 'ready' ? (
              <Button size="lg" variant="primary" onClick={() => void leave()}>
                {t('open')}
              </Button>
            ) : progress.data?.[place] === 'done' ? (
              <Button size="lg" variant="primary" onClick={() => show(places[at + 1])}>
                {t('continue')}
              </Button>
            ) : (
              <Button
                size="lg"
                disabled={!progress.data}
                onClick={() => {
                  decide({ step: place, outcome: 'later' })
                  show(places[at + 1])
                }}
              >
                {t(place === 'model' ? 'without' : 'later')}
              </Button>
            )}
          </div>
        </footer>
      </main>
    </div>
  )
}
