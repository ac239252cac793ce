import { Lock, Target } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { provideToolInput } from '#shared/runs/input-requests/input-requests.ts'
import { call } from '../../web/platform/lib/api/call.ts'
import { Button } from '../../web/platform/ui/button.tsx'
import { type CardBodyProps, type ToolCardParts, useTranslation } from '../../web/platform/ui/card-parts.ts'
import { Skeleton } from '../../web/platform/ui/states/skeleton.tsx'
import { Spinner } from '../../web/platform/ui/states/spinner.tsx'
import { CompanyCard } from './company-card.tsx'
import { CrmImport } from './crm-import.tsx'
import { ProspectTable } from './prospect-table.tsx'
import { type Prospecting, readProspecting } from './read-prospecting.ts'
import './card.css'

const card: ToolCardParts = {
  ...{ Icon: Target, summarise: queryOf, Body, asks: true },
  Empty: Nothing,
  explain: (error, _, t) =>
    error.startsWith('The register of companies') ? t('prospecting.no_register') : null,
}

export default card

/** Shows the companies first, then the people of the selected ones. */
function Body({ status, input, result, events }: CardBodyProps) {
  const { t } = useTranslation('tool_ui')
  const known = useMemo(
    () => readProspecting(events, status === 'done' ? result : null),
    [status, result, events],
  )
  const { step, show } = useStep(known)
  const answer = useAnswer(known.asks)
  if (known.companies === null)
    return status === 'input' ? (
      <p className="text-13 text-ink-2">{queryOf(input) || t('prospecting.before')}</p>
    ) : (
      <div role="status" className="grid gap-2 text-13 text-ink-2">
        {t('prospecting.loading')}
        <Skeleton className="h-24 w-full" />
      </div>
    )
  if (known.companies.length === 0) return <p className="text-13 text-ink-2">{t('prospecting.none')}</p>
  return (
    <div className="grid min-w-0 gap-3">
      {step === 2 && known.prospects ? (
        <ProspectTable prospects={known.prospects} onBack={() => show(1)} />
      ) : (
        <Selection known={known} answer={answer} />
      )}
      {known.isListing || answer.isSent ? <Listing isLocked={known.isLocked} /> : null}
      {known.asks?.what === 'confirmation' && !answer.isSent && (
        <Confirmation known={known} answer={answer} onShow={() => show(2)} isShown={step === 2} />
      )}
      {known.isDone && known.prospects && (
        <DoneFoot known={known} step={step} onShow={() => show(2)} executionId={executionOf(events)} />
      )}
    </div>
  )
}

/** Switches to the second step when results arrive, unless the person has gone back. */
function useStep({ isDone, prospects }: Prospecting) {
  const [step, setStep] = useState<1 | 2>(1)
  const [isHeld, setHeld] = useState(false)
  const hasResults = isDone && (prospects?.length ?? 0) > 0
  useEffect(() => {
    if (hasResults && !isHeld) setStep(2)
  }, [hasResults, isHeld])
  return {
    step,
    show: (next: 1 | 2) => {
      setHeld(next === 1)
      setStep(next)
    },
  }
}

type Answer = ReturnType<typeof useAnswer>

/** Answers the call's question. Without an execution, and if it fails, the problem is only logged. */
function useAnswer(asks: Prospecting['asks']) {
  const [answered, setAnswered] = useState<NonNullable<Prospecting['asks']>['what'] | null>(null)
  const send = async (input: string) => {
    if (!asks?.executionId) return void console.error('A question of prospecting names no execution', input)
    setAnswered(asks.what)
    const params = { executionId: asks.executionId }
    try {
      await call(provideToolInput, { params, body: { input, input_type: 'text' } })
    } catch (error) {
      setAnswered(null)
      console.error('The answer to prospecting was refused', error)
    }
  }
  return { send: (input: string) => void send(input), isSent: answered !== null && asks?.what === answered }
}

function Selection({ known, answer }: { known: Prospecting; answer: Answer }) {
  const { t } = useTranslation('tool_ui')
  const companies = known.companies ?? []
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set())
  const isLocked = known.isLocked || answer.isSent
  const isChosen = (at: number) =>
    known.selected ? known.selected.includes(companies[at]?.société ?? '') : !left.has(at)
  const chosen = companies.flatMap((_, at) => (isChosen(at) ? [at + 1] : []))
  const toggle = (at: number) =>
    setLeft((before) => new Set(before.has(at) ? [...before].filter((one) => one !== at) : [...before, at]))
  return (
    <>
      <p className="num text-13">
        {t('prospecting.chosen', { count: companies.length, chosen: chosen.length })}
      </p>
      <ul className="prospect-companies">
        {companies.map((company, at) => (
          <CompanyCard
            // biome-ignore lint/suspicious/noArrayIndexKey: two companies may have one name, and their order stays.
            key={at}
            company={company}
            isChosen={isChosen(at)}
            isLocked={isLocked}
            onToggle={() => toggle(at)}
          />
        ))}
      </ul>
      {known.asks?.what === 'selection' && !answer.isSent && (
        <div className="prospect-foot">
          <Button variant="ghost" onClick={() => answer.send('no')}>
            {t('prospecting.cancel')}
          </Button>
          <Button
            variant="primary"
            disabled={chosen.length === 0}
            onClick={() => answer.send(chosen.join(','))}
          >
            {t('prospecting.continue', { count: chosen.length })}
          </Button>
        </div>
      )}
    </>
  )
}

function Listing({ isLocked }: { isLocked: boolean }) {
  const { t } = useTranslation('tool_ui')
  return (
    <>
      {isLocked && <Locked />}
      <div role="status" className="prospect-listing">
        <Spinner className="icon text-accent" />
        {t('prospecting.listing')}
      </div>
    </>
  )
}

function Locked() {
  const { t } = useTranslation('tool_ui')
  return (
    <p className="flex items-center gap-2 text-13 text-ink-2">
      <Lock aria-hidden className="icon-14" />
      {t('prospecting.locked')}
    </p>
  )
}

type ConfirmationProps = { known: Prospecting; answer: Answer; isShown: boolean; onShow: () => void }

function Confirmation({ known, answer, isShown, onShow }: ConfirmationProps) {
  const { t } = useTranslation('tool_ui')
  return (
    <>
      {!isShown && <Locked />}
      <p className="text-14">{t('prospecting.confirm', { count: known.prospects?.length ?? 0 })}</p>
      <div className="prospect-foot">
        {!isShown && (
          <Button variant="ghost" onClick={onShow}>
            {t('prospecting.view')}
          </Button>
        )}
        <span className="flex-1" />
        <Button onClick={() => answer.send('no')}>{t('prospecting.cancel')}</Button>
        <Button variant="primary" onClick={() => answer.send('yes')}>
          {t('prospecting.validate')}
        </Button>
      </div>
    </>
  )
}

type DoneFootProps = { known: Prospecting; step: 1 | 2; executionId: string | null; onShow: () => void }

function DoneFoot({ known, step, executionId, onShow }: DoneFootProps) {
  const { t } = useTranslation('tool_ui')
  if (known.prospects?.length === 0) return <p className="text-13 text-ink-2">{t('prospecting.cancelled')}</p>
  return (
    <>
      {step === 1 && (
        <div className="prospect-foot">
          <Button onClick={onShow}>{t('prospecting.view')}</Button>
        </div>
      )}
      {executionId !== null && <CrmImport executionId={executionId} />}
    </>
  )
}

/** Shown before there is anything else. */
function Nothing() {
  const { t } = useTranslation('tool_ui')
  return <p className="text-13 text-ink-2">{t('prospecting.empty')}</p>
}

/** Returns the execution named by the questions. */
function executionOf(events: CardBodyProps['events']): string | null {
  const id = events.findLast(({ type }) => type === 'tool_input_required')?.data?.execution_id
  return typeof id === 'string' ? id : null
}

function queryOf(input: unknown): string {
  return typeof input === 'object' && input !== null && 'query' in input ? String(input.query) : ''
}
