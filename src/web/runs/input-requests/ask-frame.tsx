import clsx from 'clsx'
import {
  AudioLines,
  Ban,
  Check,
  CircleCheck,
  CircleMinus,
  CirclePause,
  Clock,
  KeyRound,
  RotateCcw,
  ShieldCheck,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { InputRequiredBlock } from '#shared/runs/runs/blocks.ts'
import { type TFunction, useTranslation } from '../../platform/i18n/i18n.ts'
import { nameOfTool } from '../../platform/i18n/tool-words.ts'
import { Badge, type Tone } from '../../platform/ui/badge.tsx'
import { Spinner } from '../../platform/ui/states/spinner.tsx'
import { isForApproval, isPlan } from './request-words.ts'

/** Progress of an answer. */
export type AskState =
  | 'waiting'
  | 'ready'
  | 'transcribing'
  | 'processing'
  | 'provided'
  | 'approved'
  | 'declined'
  | 'skipped'
  | 'closed'

type AskFrameProps = {
  request: InputRequiredBlock
  state: AskState
  /** Shown next to the title: the step, or the position among several requests. */
  aside?: ReactNode
  className?: string
  children: ReactNode
}

/** The frame of every request: a header with the progress of the answer, the request, and its controls. */
export function AskFrame({ request, state, aside, className, children }: AskFrameProps) {
  const { t } = useTranslation('streaming_blocks')
  const title = useTitle(request)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a section by itself would be a landmark, and several may wait.
    <section
      role="group"
      aria-label={title}
      tabIndex={-1}
      className={clsx(
        'flex flex-col overflow-hidden rounded-card border border-line-2 bg-bg outline-none',
        className,
      )}
    >
      <h2 className="flex h-11 flex-none items-center gap-2.5 border-b border-line pr-3.5 pl-3 text-14">
        <KindIcon request={request} />
        <span className="truncate font-medium">{title}</span>
        <span className="truncate text-13 text-ink-3 max-md:hidden">
          {request.kind === 'approval' ? t('input.asks_before') : afterStep(t, request)}
        </span>
        <span className="flex-1" />
        {aside}
        <span className={clsx('flex flex-none', aside && 'max-sm:sr-only')}>
          <StateBadge state={state} isApproval={isForApproval(request)} />
        </span>
      </h2>
      {children}
    </section>
  )
}

function useTitle(request: InputRequiredBlock): string {
  const { t } = useTranslation(['streaming_blocks', 'tool_ui'])
  const { kind, tool } = request
  if (kind === 'approval' && tool) return nameOfTool(t, tool)
  if (isPlan(request)) return t('input.plan.title')
  if (kind === 'sign_in') return t('input.sign_in.title')
  return t(kind === 'interrupted' ? 'input.interrupted' : 'input.title')
}

/** Returns the step after which a request was asked, if any. Steps count from 0 in names, from 1 for people. */
export function afterStep(t: TFunction, { checkpoint_name }: InputRequiredBlock) {
  const step = /after_step(\d+)/.exec(checkpoint_name)?.[1]
  return step === undefined ? '' : t('streaming_blocks:input.after_step', { number: Number(step) + 1 })
}

function KindIcon({ request }: { request: InputRequiredBlock }) {
  const { kind } = request
  if (isForApproval(request)) return <ShieldCheck aria-hidden className="icon text-accent" />
  if (kind === 'interrupted') return <RotateCcw aria-hidden className="icon text-warning" />
  if (kind === 'sign_in') return <KeyRound aria-hidden className="icon text-warning" />
  return <CirclePause aria-hidden className="icon text-warning" />
}

const tones: Record<AskState, Tone> = {
  ...{ waiting: 'warning', ready: 'success', transcribing: 'accent', processing: 'accent' },
  ...{ provided: 'success', approved: 'success', declined: 'neutral', skipped: 'neutral', closed: 'neutral' },
}

/** Returns the state of a request; a declined one was not provided. */
export function stateOf(request: InputRequiredBlock): AskState {
  const { kind, state, input, input_type } = request
  if (input_type === 'skipped') return 'skipped'
  if (state !== 'provided') return state
  if (isPlan(request)) return 'approved'
  if (kind !== 'approval') return state
  return isApproved(input) ? 'approved' : 'declined'
}

function isApproved(input: unknown): boolean {
  return typeof input === 'object' && input !== null && 'approved' in input && input.approved === true
}

export function StateBadge({ state, isApproval = false }: { state: AskState; isApproval?: boolean }) {
  const { t } = useTranslation('streaming_blocks')
  const name = isApproval && state === 'waiting' ? 'approval_needed' : state
  return (
    <Badge tone={tones[state]} icon={<StateIcon state={state} />}>
      <span role="status">{t(`input.states.${name}`)}</span>
    </Badge>
  )
}

function StateIcon({ state }: { state: AskState }) {
  if (state === 'processing') return <Spinner className="icon-12" />
  const icons = {
    waiting: Clock,
    ready: Check,
    transcribing: AudioLines,
    provided: CircleCheck,
    approved: CircleCheck,
    declined: Ban,
    skipped: CircleMinus,
    closed: Clock,
  }
  const Icon = icons[state]
  return <Icon aria-hidden />
}
