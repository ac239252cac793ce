import clsx from 'clsx'
import { Check, X } from 'lucide-react'
import type { ToolEvent } from '#shared/runs/runs/blocks.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { readableName } from '../../../platform/i18n/tool-words.ts'
import { Spinner } from '../../../platform/ui/states/spinner.tsx'
import { type Phase, readPhases } from './phases.ts'

/** Phases of an execution in a row. A phase appears only when the tool reports it, never on a timer. */
export function PhaseTrack({ events, isRunning }: { events: readonly ToolEvent[]; isRunning: boolean }) {
  const { t } = useTranslation('streaming_blocks')
  const phases = readPhases(events)
  if (phases.length === 0) return null
  return (
    <ol className="flex flex-wrap gap-1.5">
      {phases.map((phase) => {
        const state = phase.state === 'running' && !isRunning ? 'done' : phase.state
        return (
          <li
            key={phase.name}
            className="grid min-w-20 flex-auto gap-1.5 text-12 whitespace-nowrap text-ink-2"
          >
            <span aria-hidden className={clsx('h-0.5 rounded-pill', bars[state])} />
            <span
              className={clsx('flex items-center gap-1.5', state === 'running' && 'font-medium text-ink')}
            >
              <PhaseIcon state={state} />
              <span>{readableName(phase.name.toLowerCase())}</span>
              <span className="sr-only">{t(`tool.phase_${state}`)}</span>
            </span>
          </li>
        )
      })}
    </ol>
  )
}

function PhaseIcon({ state }: { state: Phase['state'] }) {
  if (state === 'running') return <Spinner className="icon-12 text-accent" />
  if (state === 'done') return <Check aria-hidden className="icon-12 text-success" />
  return <X aria-hidden className="icon-12 text-danger" />
}

const bars = { done: 'bg-success', running: 'bg-accent', failed: 'bg-danger' }
