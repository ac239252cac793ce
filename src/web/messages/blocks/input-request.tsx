import { ChevronDown, ChevronUp, CircleCheck, CircleHelp, CircleMinus, CircleX, Clock } from 'lucide-react'
import { useId, useState } from 'react'
import type { InputRequiredBlock } from '#shared/runs/blocks.ts'
import { formatDate, formatTime } from '../../i18n/format.ts'
import { type TFunction, useTranslation } from '../../i18n/i18n.ts'
import { nameOfTool } from '../../lib/tool-words.ts'
import { Markdown } from '../../markdown/markdown.tsx'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/icon-button.tsx'

/** A request of the run to the person: as long as it waits the whole of it, then one line with the answer. */
export function InputRequest({ block }: { block: InputRequiredBlock }) {
  return block.state === 'waiting' ? <Waiting block={block} /> : <Past block={block} />
}

function Waiting({ block }: { block: InputRequiredBlock }) {
  const { t } = useTranslation('streaming_blocks')
  return (
    <section className="overflow-hidden rounded-card border border-line bg-bg">
      <h3 className="flex h-11 items-center gap-2.5 border-b border-line px-3.5 text-14">
        <CircleHelp aria-hidden className="icon text-accent" />
        <span className="font-medium">{t('input.title')}</span>
        <span className="flex-1" />
        <Badge tone="warning" icon={<Clock aria-hidden />}>
          {t('input.states.waiting')}
        </Badge>
      </h3>
      <div className="space-y-2 p-3.5">
        <Markdown text={block.prompt} className="text-14" />
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

function Past({ block }: { block: InputRequiredBlock }) {
  const { t } = useTranslation(['streaming_blocks', 'tool_ui'], { useSuspense: false })
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const isProvided = block.state === 'provided'
  const isSkipped = block.input_type === 'skipped'
  const Icon = isSkipped ? CircleMinus : isProvided ? CircleCheck : CircleX
  const Chevron = isOpen ? ChevronUp : ChevronDown
  const summary = summaryOf(block, t)
  return (
    <section className="overflow-hidden rounded-card border border-line bg-bg">
      <h3 className="flex h-11 items-center gap-2.5 pr-2 pl-3 text-14">
        <Icon aria-hidden className={`icon ${isProvided && !isSkipped ? 'text-success' : 'text-ink-3'}`} />
        <span className="font-medium whitespace-nowrap">
          {t(isSkipped ? 'input.skipped_title' : isProvided ? 'input.provided_title' : 'input.closed_title')}
        </span>
        <span className="truncate text-13 text-ink-3">{summary}</span>
        <span className="flex-1" />
        {block.answered_at && <time className="num text-12 text-ink-3">{formatTime(block.answered_at)}</time>}
        <IconButton
          name={t(isOpen ? 'input.hide' : 'input.show')}
          size="xs"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          <Chevron aria-hidden className="icon" />
        </IconButton>
      </h3>
      <div id={id} hidden={!isOpen} className="space-y-3 border-t border-line p-3.5">
        <Markdown text={block.prompt} className="text-14" />
        {block.by_default && <p className="text-13 text-ink-3">{t('input.by_default')}</p>}
        {isProvided && !isSkipped && <Given block={block} />}
      </div>
    </section>
  )
}

function Given({ block: { input } }: { block: InputRequiredBlock }) {
  const { t } = useTranslation('streaming_blocks')
  const text = typeof input === 'string' ? input : (wordsOf(input, t) ?? JSON.stringify(input, null, 2))
  return (
    <pre className="max-h-80 overflow-auto rounded-row bg-surface p-3 font-ui text-13 whitespace-pre-wrap wrap-anywhere">
      {text}
    </pre>
  )
}

const SUMMARY = 200

function summaryOf(
  { state, kind, input, input_type, prompt, tool }: InputRequiredBlock,
  t: TFunction,
): string {
  if (state === 'closed' || input_type === 'skipped') return prompt.slice(0, SUMMARY)
  if (kind === 'approval' && tool) return `${nameOfTool(t, tool)}: ${approvalOf(input, t)}`
  const words =
    typeof input === 'string' ? t(`input.choices.${input}`, { defaultValue: input }) : wordsOf(input, t)
  return t('input.quoted', { text: (words ?? JSON.stringify(input)).slice(0, SUMMARY) })
}

function approvalOf(input: unknown, t: TFunction): string {
  const { approved, arguments: changed } = input as { approved?: boolean; arguments?: unknown }
  if (!approved) return t('input.declined')
  return t(changed ? 'input.approved_changed' : 'input.approved')
}

/** An answer in words where it has some: yes and no, file names, the parts of a composite. */
function wordsOf(input: unknown, t: TFunction): string | null {
  if (typeof input === 'boolean') return t(input ? 'input.yes' : 'input.no')
  if (Array.isArray(input)) return input.map((one) => wordsOf(one, t) ?? JSON.stringify(one)).join(', ')
  if (typeof input !== 'object' || input === null) return input === null ? null : String(input)
  if ('media_type' in input && 'name' in input)
    return 'transcript' in input ? `${input.name}: ${input.transcript}` : String(input.name)
  if ('approved' in input) return null
  return Object.entries(input)
    .map(([name, value]) => `${name}: ${wordsOf(value, t) ?? JSON.stringify(value)}`)
    .join('\n')
}
