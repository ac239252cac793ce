import { useId, useState } from 'react'
import type { ToolBlock } from '#shared/runs/runs/blocks.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import type { CardFacts, CardStatus } from '../../../platform/lib/card-status.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { PhaseTrack } from './phase-track.tsx'
import { partialText } from './phases.ts'
import { Values } from './values.tsx'

type GeneralBodyProps = { block: ToolBlock; facts: CardFacts; status: CardStatus }

/** Default card body: phases, text, output and input of a tool without its own card. */
export function GeneralBody({ block, facts, status }: GeneralBodyProps) {
  const { t } = useTranslation('streaming_blocks')
  const message = block.events.findLast((event) => event.message)?.message
  const partial = partialText(block.events)
  const isRunning = status === 'running'
  const toolId = block.tool_id
  return (
    <div className="grid gap-3">
      <PhaseTrack events={block.events} isRunning={isRunning} />
      {isRunning && message && <p className="text-13 text-ink-2">{message}</p>}
      {isRunning && partial && <p className="text-14 whitespace-pre-wrap wrap-anywhere">{partial}</p>}
      {status === 'done' && (
        <Folded name={t('tool.result')} startsOpen {...{ toolId }} side="outputs" value={facts.result} />
      )}
      <Folded
        name={t('tool.inputs')}
        startsOpen={isRunning && !partial}
        {...{ toolId }}
        side="inputs"
        value={facts.input}
      />
    </div>
  )
}

type FoldedProps = {
  name: string
  startsOpen: boolean
  toolId: string
  side: 'inputs' | 'outputs'
  value: unknown
}

function Folded({ name, startsOpen, value, ...whose }: FoldedProps) {
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
        <Values {...whose} value={value} className="max-h-80" />
      </div>
    </div>
  )
}
