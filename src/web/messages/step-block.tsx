import clsx from 'clsx'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import type { PlannedStep } from '#shared/runs/view.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { type Status, StatusMark } from '../ui/badge.tsx'
import type { StepBlock } from './group-blocks.ts'

type StepProps = { step: StepBlock; isRunning: boolean; children?: ReactNode }

/** One step of a run with what happened in it: open while it runs, one line afterwards. */
export function Step({ step, isRunning, children }: StepProps) {
  const { t } = useTranslation('streaming_blocks')
  const id = useId()
  const [byHand, setByHand] = useState<boolean | null>(null)
  const hasContent = Array.isArray(children) ? children.length > 0 : Boolean(children)
  const canOpen = hasContent || Boolean(step.message)
  const isOpen = (byHand ?? isRunning) && canOpen
  const Chevron = isOpen ? ChevronUp : ChevronDown
  return (
    <section className="rounded-card border border-line bg-bg">
      <h3 className="flex h-[42px] items-center gap-2.5 pr-2.5 pl-3 text-14">
        <StatusMark status={statusOf(step, isRunning)} className="icon" />
        <span className="num text-13 whitespace-nowrap text-ink-3 max-md:sr-only">
          {t('step_number', { number: step.number })}
        </span>
        <span className="truncate font-medium">{step.description}</span>
        <StepState step={step} isRunning={isRunning} />
        <span className="flex-1" />
        {canOpen && (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={id}
            aria-label={t(isOpen ? 'fold_step' : 'open_step', { number: step.number })}
            onClick={() => setByHand(!isOpen)}
            className="inline-grid size-6 place-items-center rounded-control text-ink-2 hover-motion hover:bg-surface-2 max-md:size-9"
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

/** A step that is still to come: it has its line already. */
export function Planned({ step }: { step: PlannedStep }) {
  const { t } = useTranslation('streaming_blocks')
  return (
    <section className="rounded-card border border-line bg-bg">
      <h3 className="flex h-[42px] items-center gap-2.5 pr-2.5 pl-3 text-14 text-ink-2">
        <StatusMark status="pending" className="icon" />
        <span className="num text-13 whitespace-nowrap text-ink-3 max-md:sr-only">
          {t('step_number', { number: step.number })}
        </span>
        <span className="truncate">{step.description}</span>
        <span aria-hidden className="text-ink-3">
          …
        </span>
        <span className="sr-only">{t('step_planned')}</span>
      </h3>
    </section>
  )
}

/** A run that has only one step needs no frame: one quiet line. */
export function SingleStep({ step, isRunning }: StepProps) {
  const { t } = useTranslation('streaming_blocks')
  return (
    <p className="flex items-center gap-2 text-13 text-ink-2">
      <StatusMark status={statusOf(step, isRunning)} className="icon-14" />
      <span className="sr-only">{t('step_number', { number: step.number })}: </span>
      <span className="truncate">{step.description}</span>
      <StepState step={step} isRunning={isRunning} />
    </p>
  )
}

/** What the icon says, in words or figures. */
function StepState({ step, isRunning }: StepProps) {
  const { t } = useTranslation('streaming_blocks')
  if (step.completed) return <span className="sr-only">{t('step_done')}</span>
  if (step.failed) return <span className="text-12 text-danger">{t('step_failed')}</span>
  if (step.progress !== null)
    return <span className="num text-12 text-ink-3">{Math.round(step.progress)} %</span>
  return isRunning ? (
    <span className="sr-only">{t('step_running')}</span>
  ) : (
    <span className="text-ink-3">…</span>
  )
}

function statusOf(step: StepBlock, isRunning: boolean): Status {
  if (step.failed) return 'failed'
  if (step.completed) return 'done'
  return isRunning ? 'running' : 'pending'
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
