import { Crosshair } from 'lucide-react'
import type { Chunk } from '#shared/knowledge/documents/documents.ts'
import { Button } from '../../web/platform/ui/button.tsx'
import { Callout } from '../../web/platform/ui/callout.tsx'
import { useTranslation } from '../../web/platform/ui/card-parts.ts'
import { clockOf } from './playback.ts'

/** Shows the requested passage: its kind, and its time or block number. */
export function ChunkLine({ chunk, onFocus }: { chunk: Chunk; onFocus?: (() => void) | undefined }) {
  const { t } = useTranslation('documents')
  const action = onFocus && (
    <Button size="sm" icon={<Crosshair aria-hidden className="icon" />} onClick={onFocus}>
      {t('viewer.go_to_passage')}
    </Button>
  )
  return (
    <Callout tone="accent" title={t('viewer.chosen_passage')} action={action}>
      <span className="num">
        {t(`viewer.passage_type.${chunk.type.toLowerCase()}`, { defaultValue: chunk.type })},{' '}
        {whereOf(chunk, t)}
      </span>
    </Callout>
  )
}

function whereOf(chunk: Chunk, t: ReturnType<typeof useTranslation>['t']): string {
  const start = chunk.place.start ?? chunk.metadata.timeline_position ?? chunk.metadata.start_time_from_meta
  const { end } = chunk.place
  if (start !== null && end !== undefined)
    return t('viewer.from_to', { from: clockOf(start), to: clockOf(end) })
  if (start !== null) return clockOf(start)
  return t('viewer.block', { number: blockOf(chunk) })
}

/** Returns the block number from an element id such as `e1`. */
const blockOf = ({ metadata, page_number, element_id }: Chunk) =>
  metadata.page_number ?? page_number ?? element_id.replace(/^e/, '')
