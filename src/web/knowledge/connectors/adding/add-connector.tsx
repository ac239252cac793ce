import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import type { Source } from '#shared/knowledge/connectors/sources.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { View } from '../../../platform/ui/view.tsx'
import { nameOfSource } from '../connector-words.ts'
import { useConnectable } from '../use-connectable.ts'
import { useSources } from '../use-connectors.ts'
import { ChooseContent } from './choose-content.tsx'
import type { SignedIn } from './connector-draft.ts'
import { NotSetUp } from './not-set-up.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { SourceChoice } from './source-choice.tsx'

/** Adds a connector in three steps: the source, its sign-in, and what is read by whom. */
export function AddConnector() {
  const { t } = useTranslation('connectors')
  const [source, setSource] = useState<Source | null>(null)
  const [signedIn, setSignedIn] = useState<SignedIn | null>(null)
  const [isChanging, setChanging] = useState(false)
  const step = source === null ? 'source' : signedIn === null || isChanging ? 'sign_in' : 'content'
  const back = () => {
    if (step === 'content') setChanging(true)
    else {
      setSource(null)
      setSignedIn(null)
      setChanging(false)
    }
  }
  return (
    <View title={t('add')}>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid w-full max-w-[984px] grid-cols-1 gap-5 px-8 pt-5 pb-12 max-md:px-4">
          <div className="flex items-center gap-3">
            {step === 'source' ? (
              <Link to={'/documents/connectors' as '/documents'} className={backLook}>
                <ArrowLeft aria-hidden className="icon-14" />
                {t('back')}
              </Link>
            ) : (
              <button type="button" className={backLook} onClick={back}>
                <ArrowLeft aria-hidden className="icon-14" />
                {t('common:actions.back')}
              </button>
            )}
          </div>
          <header>
            <h2 className="text-18 font-semibold tracking-[-0.02em]">
              {source ? nameOfSource(t, source.id) : t('steps.source')}
            </h2>
            <p className="mt-1 text-14 text-ink-2">
              {t(step === 'sign_in' && source?.signs_in ? 'steps.page_text' : `steps.${step}_text`)}
            </p>
          </header>
          {step === 'source' && <Sources onChoose={setSource} />}
          {source && (
            // The form stays, so that the way back shows what was typed.
            <div hidden={step !== 'sign_in'}>
              <SignInForm
                key={source.id}
                source={source}
                onSignedIn={(next) => {
                  setSignedIn(next)
                  setChanging(false)
                }}
              />
            </div>
          )}
          {source && signedIn && (
            <div hidden={step !== 'content'}>
              <ChooseContent key={signedIn.trial.key} source={source} signedIn={signedIn} />
            </div>
          )}
        </div>
      </div>
    </View>
  )
}

const backLook =
  'inline-flex items-center gap-1.5 rounded-control text-13 font-medium text-ink-2 hover:text-ink max-md:min-h-11'

function Sources({ onChoose }: { onChoose: (source: Source) => void }) {
  const { t } = useTranslation('connectors')
  const { data, error, refetch } = useSources()
  const { connectable } = useConnectable()
  if (error && !data)
    return (
      <Callout
        tone="danger"
        action={
          <Button size="sm" onClick={() => void refetch()}>
            {t('common:actions.retry')}
          </Button>
        }
      >
        {errorText(t, error)}
      </Callout>
    )
  if (!data) return <Skeletons className="grid gap-3" sizes={['h-20 w-full', 'h-20 w-full']} />
  return (
    <>
      {connectable.length === 0 && <Callout>{t('nothing_offered')}</Callout>}
      <SourceChoice sources={connectable} onChoose={onChoose} />
      <NotSetUp sources={data.not_set_up} />
    </>
  )
}
