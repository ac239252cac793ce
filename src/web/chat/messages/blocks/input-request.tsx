import {
  Ban,
  ChevronDown,
  ChevronUp,
  CircleCheck,
  CircleHelp,
  CircleMinus,
  CircleX,
  Clock,
  Milestone,
  ShieldCheck,
} from 'lucide-react'
import { useId, useState } from 'react'
import type { InputRequiredBlock } from '#shared/runs/runs/blocks.ts'
import { formatDate, formatTime } from '../../../platform/i18n/format.ts'
import { type TFunction, useTranslation } from '../../../platform/i18n/i18n.ts'
import { nameOfInput, nameOfTool } from '../../../platform/i18n/tool-words.ts'
import { Markdown } from '../../../platform/markdown/markdown.tsx'
import { Badge } from '../../../platform/ui/badge.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { isPlan, linesOf, requestWords, stateOf } from '../../../runs/input-requests/input-requests.tsx'
import CheckpointItems from './checkpoint-items.tsx'
import type { CheckpointBlock } from './group-blocks.ts'
import { useCheckpointNames, useReplyOfCheckpoints } from './use-checkpoints.ts'

/** A request of the run: in full while it waits, then one line with the answer. */
export function InputRequest({ block, checkpoints = [] }: RequestProps) {
  return block.state === 'waiting' ? (
    <Waiting block={block} />
  ) : (
    <Past block={block} checkpoints={checkpoints} />
  )
}

type RequestProps = {
  block: InputRequiredBlock
  /** Checkpoints around its answer, without a line of their own. */
  checkpoints?: readonly CheckpointBlock[]
}

function Waiting({ block }: { block: InputRequiredBlock }) {
  const { t } = useTranslation('streaming_blocks')
  const Icon = isPlan(block) ? ShieldCheck : CircleHelp
  return (
    <section className="overflow-hidden rounded-card border border-line bg-bg">
      <h2 className="flex h-11 items-center gap-2.5 border-b border-line px-3.5 text-14">
        <Icon aria-hidden className="icon text-accent" />
        <span className="font-medium">{t(isPlan(block) ? 'input.plan.title' : 'input.title')}</span>
        <span className="flex-1" />
        <Badge tone="warning" icon={<Clock aria-hidden />}>
          {t(isPlan(block) ? 'input.states.approval_needed' : 'input.states.waiting')}
        </Badge>
      </h2>
      <div className="space-y-2 p-3.5">
        <Markdown text={requestWords(block, t)} className="text-14" />
        {block.deadline && (
          <p className="text-13 text-ink-3">
            {t('input.deadline', {
              date: formatDate(block.deadline, { dateStyle: 'medium', timeStyle: 'short' }),
            })}
          </p>
        )}
      </div>
    </section>
  )
}

function Past({ block, checkpoints }: Required<RequestProps>) {
  const { t } = useTranslation(['streaming_blocks', 'tool_ui'], { useSuspense: false })
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const replyId = useReplyOfCheckpoints()
  const { names } = useCheckpointNames(replyId !== null && checkpoints.length > 0)
  const named = checkpoints.flatMap(({ id }) => names.get(id) ?? [])
  const state = stateOf(block)
  const { Icon, ink, title } = looks[state as keyof typeof looks] ?? looks.closed
  const Chevron = isOpen ? ChevronUp : ChevronDown
  const summary = summaryOf(block, t)
  return (
    <section className="overflow-hidden rounded-card border border-line bg-bg">
      <h2 className="relative flex h-11 items-center gap-2.5 pr-2 pl-3 text-14">
        <Icon aria-hidden className={`icon ${ink}`} />
        <span className="font-medium whitespace-nowrap">
          {t(isPlan(block) && state === 'approved' ? 'input.plan.approved' : `input.${title}`)}
        </span>
        <span className="truncate text-13 text-ink-3">{summary}</span>
        <span className="flex-1" />
        {named.length > 0 && (
          <span className="flex max-w-1/3 flex-none items-center gap-1.5 text-12 text-ink-3">
            <Milestone aria-hidden className="icon-12" />
            <span className="truncate">{named.join(', ')}</span>
          </span>
        )}
        {block.answered_at && <time className="num text-12 text-ink-3">{formatTime(block.answered_at)}</time>}
        <IconButton
          name={t(isOpen ? 'input.hide' : 'input.show')}
          size="xs"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="static! after:absolute after:inset-0"
        >
          <Chevron aria-hidden className="icon" />
        </IconButton>
      </h2>
      <div id={id} hidden={!isOpen} className="space-y-3 border-t border-line p-3.5">
        <Markdown text={requestWords(block, t)} className="text-14" />
        {block.answered_by && (
          <p className="text-13 text-ink-3">{t('input.answered_by', { name: block.answered_by })}</p>
        )}
        {block.by_default && <p className="text-13 text-ink-3">{t('input.by_default')}</p>}
        {state !== 'skipped' && state !== 'closed' && block.kind !== 'sign_in' && <Given block={block} />}
        {isOpen && checkpoints.length > 0 && (
          <div className="text-12 text-ink-3">
            <CheckpointItems blocks={checkpoints} names={names} replyId={replyId} />
          </div>
        )}
      </div>
    </section>
  )
}

const looks = {
  provided: { Icon: CircleCheck, ink: 'text-success', title: 'provided_title' },
  approved: { Icon: CircleCheck, ink: 'text-success', title: 'approved' },
  declined: { Icon: Ban, ink: 'text-ink-3', title: 'declined' },
  skipped: { Icon: CircleMinus, ink: 'text-ink-3', title: 'skipped_title' },
  closed: { Icon: CircleX, ink: 'text-ink-3', title: 'closed_title' },
}

function Given({ block }: { block: InputRequiredBlock }) {
  const { t } = useTranslation('streaming_blocks')
  const input = block.kind === 'approval' ? besidesLeave(block.input) : block.input
  const text =
    typeof input === 'string' ? input : (wordsOf(input, t, block) ?? JSON.stringify(input, null, 2))
  if (text === undefined) return null
  return (
    <pre className="max-h-80 overflow-auto rounded-row bg-surface p-3 font-ui text-13 whitespace-pre-wrap wrap-anywhere">
      {text}
    </pre>
  )
}

/** Returns what was sent along with yes or no: other arguments, or a reason. */
function besidesLeave(input: unknown): unknown {
  const { arguments: changed, reason } = input as { arguments?: unknown; reason?: unknown }
  return changed ?? reason
}

const SUMMARY = 200

function summaryOf(block: InputRequiredBlock, t: TFunction): string {
  const { state, kind, input, input_type, tool } = block
  if (state === 'closed' || input_type === 'skipped') return requestWords(block, t).slice(0, SUMMARY)
  if (kind === 'approval' && tool) return approvalOf(block, t)
  if (kind === 'sign_in') return requestWords(block, t).slice(0, SUMMARY)
  if (isPlan(block)) return t('input.plan.questions', { count: linesOf(input).length })
  const words =
    typeof input === 'string'
      ? t(`input.choices.${input}`, { defaultValue: input })
      : wordsOf(input, t, block)
  return t('input.quoted', { text: (words ?? JSON.stringify(input)).slice(0, SUMMARY) })
}

/** Returns the tool, and what was changed or said. */
function approvalOf(block: InputRequiredBlock, t: TFunction): string {
  const name = block.tool ? nameOfTool(t, block.tool) : ''
  const isChanged = typeof block.input === 'object' && block.input !== null && 'arguments' in block.input
  if (isChanged) return `${name} · ${t('input.changed')}`
  const reason = reasonOf(block)
  return reason ? `${name} · ${t('input.quoted', { text: reason.slice(0, SUMMARY) })}` : name
}

function reasonOf({ input }: InputRequiredBlock): string {
  return typeof input === 'object' && input !== null && 'reason' in input ? String(input.reason) : ''
}

/** Returns an answer as text: yes and no, file names, the parts of a composite. */
function wordsOf(input: unknown, t: TFunction, block: InputRequiredBlock): string | null {
  if (typeof input === 'boolean') return t(input ? 'input.yes' : 'input.no')
  if (Array.isArray(input))
    return input.map((one) => wordsOf(one, t, block) ?? JSON.stringify(one)).join(', ')
  if (input === undefined || input === null) return null
  if (typeof input !== 'object') return String(input)
  if ('media_type' in input && 'name' in input)
    return 'transcript' in input ? `${input.name}: ${input.transcript}` : String(input.name)
  if ('approved' in input) return null
  return Object.entries(input)
    .map(([name, value]) => `${nameIn(block, name, t)}: ${wordsOf(value, t, block) ?? JSON.stringify(value)}`)
    .join('\n')
}

/** Returns the name of a part of an answer: the question's, or its tool's. */
function nameIn({ fields, tool }: InputRequiredBlock, name: string, t: TFunction): string {
  const label = fields?.find((field) => field.name === name)?.label
  return label || (tool ? nameOfInput(t, tool.tool_id, name) : name)
}
