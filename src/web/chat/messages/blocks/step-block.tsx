import clsx from 'clsx'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import type { StepBlock } from '#shared/runs/runs/blocks.ts'
import type { PlannedStep } from '#shared/runs/runs/view.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Markdown } from '../../../platform/markdown/markdown.tsx'
import { StatusMark } from '../../../platform/ui/badge.tsx'
import { StepTime } from './step-time.tsx'

type StateProps = { step: StepBlock; isRunning: boolean }
type StepProps = StateProps & {
  /** Whether the reply is being written. */ isStreaming: boolean
  children?: ReactNode
}

/** One step of a run with its content: open while it runs, one line once it is finished. */
export function Step({ step, isRunning, isStreaming, children }: StepProps) {
  const { t } = useTranslation('streaming_blocks')
  const id = useId()
  const [byHand, setByHand] = useState<boolean | null>(null)
  const hasContent = Array.isArray(children) ? children.length > 0 : Boolean(children)
  const canOpen = hasContent || Boolean(step.message)
  const isOpen = (byHand ?? (isStreaming && !step.completed)) && canOpen
  const Chevron = isOpen ? ChevronUp : ChevronDown
  return (
    <section data-running={isRunning || undefined} className="rounded-card border border-line bg-bg">
      <h3 className="relative flex h-[42px] items-center gap-2 pr-2.5 pl-3 text-14">
        <Words step={step} />
        <StepState step={step} isRunning={isRunning} />
        <span className="flex-1" />
        <StepTime step={step} isRunning={isRunning} />
        {canOpen && (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={id}
            aria-label={t(isOpen ? 'fold_step' : 'open_step', { number: step.number })}
            onClick={() => setByHand(!isOpen)}
            className="inline-grid size-6 flex-none place-items-center rounded-control text-ink-2 hover-motion after:absolute after:inset-0 hover:bg-surface-2 max-md:size-9"
          >
            <Chevron aria-hidden className="icon-14" />
          </button>
        )}
      </h3>
      {isRunning && <StepProgress progress={step.progress} />}
      <div id={id} hidden={!isOpen} className="run-blocks p-3.5">
        {isOpen && children}
        {isOpen && step.message && <Markdown text={step.message} growing={isRunning} />}
      </div>
    </section>
  )
}

/** A planned step, shown as a line. */
export function Planned({ step }: { step: PlannedStep }) {
  const { t } = useTranslation('streaming_blocks')
  return (
    <section className="rounded-card border border-dashed border-line bg-bg">
      <h3 className="flex h-[42px] items-center gap-2 pr-2.5 pl-3 text-14 text-ink-2">
        <Words step={step} />
        <Dots />
        <span className="sr-only">{t('step_planned')}</span>
      </h3>
    </section>
  )
}

/** A run with only one step has no frame: one quiet line. */
export function SingleStep({ step, isRunning }: StateProps) {
  const { t } = useTranslation('streaming_blocks')
  return (
    <p className="flex items-center gap-2 text-13 text-ink-2">
      <span className="sr-only">{t('step_head', { number: step.number })} </span>
      <span dir="auto" className="truncate">
        {step.description}
      </span>
      <StepState step={step} isRunning={isRunning} />
    </p>
  )
}

/** `Step 1: description` */
function Words({ step: { number, description } }: { step: PlannedStep }) {
  const { t } = useTranslation('streaming_blocks')
  return (
    <span className="truncate font-medium">
      <span className="num font-normal text-ink-3">{t('step_head', { number })} </span>
      {description}
    </span>
  )
}

/** Shown after the text: a check mark, a percentage, or dots while waiting. */
function StepState({ step, isRunning }: StateProps) {
  const { t } = useTranslation('streaming_blocks')
  if (step.failed)
    return (
      <span className="flex flex-none items-center gap-1.5 text-12 text-danger">
        <StatusMark status="failed" className="icon" />
        {t('step_failed')}
      </span>
    )
  const mark = step.completed ? 'done' : isRunning ? 'running' : null
  return (
    <>
      {mark ? <StatusMark status={mark} className="icon flex-none" /> : <Dots />}
      {mark && <span className="sr-only">{t(mark === 'done' ? 'step_done' : 'step_running')}</span>}
      {!step.completed && step.progress !== null && (
        <span className="num flex-none text-12 text-ink-3">{Math.round(step.progress)} %</span>
      )}
    </>
  )
}

function Dots() {
  return (
    <span aria-hidden className="text-ink-3">
      …
    </span>
  )
}

function StepProgress({ progress }: { progress: number | null }) {
  const { t } = useTranslation('streaming_blocks')
  if (progress === null) return <div className="h-0.5 bg-surface-3" />
  return (
    <div
      role="progressbar"
      aria-label={t('step_progress')}
      aria-valuenow={Math.round(progress)}
      aria-valuemin={0}
      aria-valuemax={100}
      className={clsx('h-0.5 bg-surface-3')}
    >
      <div className="h-full bg-accent" style={{ width: `${Math.min(100, Math.max(0, progress))}%` }} />
    </div>
  )
}
