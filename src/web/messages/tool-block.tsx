import { Check, CircleX, Clock } from 'lucide-react'
import { memo, useId, useState } from 'react'
import type { ToolBlock } from '#shared/runs/blocks.ts'
import { formatNumber } from '../i18n/format.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { CopyButton } from '../markdown/markdown.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Callout } from '../ui/callout.tsx'
import { Spinner } from '../ui/spinner.tsx'
import {
  readCalculation,
  readResult,
  stateTone,
  summarise,
  type ToolState,
  toolIcon,
  toolName,
  toolState,
} from './tool-look.ts'

const writeNumber = (value: number) => formatNumber(value, { maximumFractionDigits: 12 })

/** One call of a tool: what it is, how far it is, what went in and what came out. */
export const Tool = memo(function Tool({ block }: { block: ToolBlock }) {
  const { t } = useTranslation('streaming_blocks')
  const state = toolState(block)
  const Icon = toolIcon(`${block.tool_id} ${block.tool_name}`)
  const calculation = readCalculation(block.input, writeNumber)
  const summary = calculation
    ? `${calculation.left} ${calculation.sign} ${calculation.right}`
    : summarise(block.input)
  return (
    <section className="rounded-card border border-line bg-surface">
      <div className="flex items-center gap-2.5 py-2 pr-2 pl-2.5">
        <span className="inline-grid size-8 flex-none place-items-center rounded-row bg-surface-2 text-ink-2">
          <Icon aria-hidden className="icon" />
        </span>
        <div className="min-w-0 flex-1">
          <h3 className="text-13 leading-[17px] font-medium">{toolName(block.tool_name)}</h3>
          <p className="truncate text-12 text-ink-2">{summary}</p>
        </div>
        <Badge tone={stateTone[state]} icon={<StateIcon state={state} />}>
          {t(`tool.${state}`)}
        </Badge>
      </div>
      {state !== 'waiting' && <ToolBody block={block} state={state} />}
    </section>
  )
})

function StateIcon({ state }: { state: ToolState }) {
  if (state === 'running') return <Spinner className="icon-12" />
  const Icon = state === 'done' ? Check : state === 'failed' ? CircleX : Clock
  return <Icon aria-hidden />
}

function ToolBody({ block, state }: { block: ToolBlock; state: ToolState }) {
  const { t } = useTranslation('streaming_blocks')
  const calculation = readCalculation(block.input, writeNumber)
  const message = block.events.findLast((event) => event.message)?.message
  return (
    <div className="grid gap-3 border-t border-line p-3">
      {state === 'failed' && (
        <Callout tone="danger" title={block.error || t('tool.no_reason')}>
          {t('tool.goes_on')}
        </Callout>
      )}
      {calculation && state !== 'failed' ? (
        <Equation {...calculation} result={state === 'done' ? readResult(block.result) : null} />
      ) : (
        <>
          {state === 'running' && message && <p className="text-13 text-ink-2">{message}</p>}
          {state === 'done' && <Payload name={t('tool.result')} value={block.result} startsOpen />}
          <Payload name={t('tool.inputs')} value={block.input} startsOpen={state === 'running'} />
        </>
      )}
    </div>
  )
}

type EquationProps = { left: string; sign: string; right: string; result: number | null }

function Equation({ left, sign, right, result }: EquationProps) {
  const { t } = useTranslation('streaming_blocks')
  return (
    <div className="num flex items-center gap-2">
      <div className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
        <span className="text-ink-2">
          {left} {sign} {right} =
        </span>
        {result === null ? (
          <span aria-hidden className="h-[18px] w-18 animate-pulse self-center rounded-tag bg-surface-3" />
        ) : (
          <b className="text-22 font-semibold tracking-[-0.02em] wrap-anywhere">{writeNumber(result)}</b>
        )}
      </div>
      {result !== null && <CopyButton name={t('tool.copy_result')} size="sm" read={() => String(result)} />}
    </div>
  )
}

function Payload({ name, value, startsOpen }: { name: string; value: unknown; startsOpen: boolean }) {
  const id = useId()
  const [isOpen, setOpen] = useState(startsOpen)
  if (value === null || value === undefined || value === '') return null
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return (
    <div className="min-w-0">
      <Button
        variant="link"
        size="sm"
        className="!text-ink-2"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {name}
      </Button>
      <pre
        id={id}
        hidden={!isOpen}
        className="mt-1.5 max-h-80 overflow-auto rounded-row border border-line bg-bg p-3 font-mono text-12 leading-[18px] whitespace-pre-wrap wrap-anywhere"
      >
        {text}
      </pre>
    </div>
  )
}
