import { useId, useState } from 'react'
import type { ToolBlock } from '#shared/runs/blocks.ts'
import { useTranslation } from '../../i18n/i18n.ts'
import type { CardFacts, CardStatus } from '../../lib/card-status.ts'
import { Button } from '../../ui/button.tsx'
import { Payload } from './payload.tsx'
import { PhaseTrack } from './phase-track.tsx'
import { partialText } from './phases.ts'

type GeneralBodyProps = { block: ToolBlock; facts: CardFacts; status: CardStatus }

/** The body of a tool without a card of its own: its phases, what it says, what came out and what went in. */
export function GeneralBody({ block, facts, status }: GeneralBodyProps) {
  const { t } = useTranslation('streaming_blocks')
  const message = block.events.findLast((event) => event.message)?.message
  const partial = partialText(block.events)
  const isRunning = status === 'running'
  return (
    <div className="grid gap-3">
      <PhaseTrack events={block.events} isRunning={isRunning} />
      {isRunning && message && <p className="text-13 text-ink-2">{message}</p>}
      {isRunning && partial && <p className="text-14 whitespace-pre-wrap wrap-anywhere">{partial}</p>}
      {status === 'done' && <Folded name={t('tool.result')} value={facts.result} startsOpen />}
      <Folded name={t('tool.inputs')} value={facts.input} startsOpen={isRunning && !partial} />
    </div>
  )
}

function Folded({ name, value, startsOpen }: { name: string; value: unknown; startsOpen: boolean }) {
  const id = useId()
  const [isOpen, setOpen] = useState(startsOpen)
  if (value === null || value === undefined || value === '') return null
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
      <div id={id} hidden={!isOpen} className="mt-1.5">
        <Payload value={value} className="max-h-80" />
      </div>
    </div>
  )
}
