import { useQuery } from '@tanstack/react-query'
import { ArrowLeftRight, ArrowRight, RotateCcw } from 'lucide-react'
import {
  type Checkpoint,
  type CheckpointNumbers,
  type Comparison,
  compareCheckpoints,
} from '#shared/chat/checkpoints/checkpoints.ts'
import { formatCost, formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { Button } from '../../platform/ui/button.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import { Delayed, Skeleton } from '../../platform/ui/states/skeleton.tsx'
import { checkpointLabel } from '../messages/messages.tsx'
import { BeliefChanges, BlockChanges, TextChanges } from './changes.tsx'

type ComparisonProps = { a: Checkpoint; b: Checkpoint; onSwap: () => void; onClear: () => void }

/** The differences of two checkpoints: numbers first, then the belief, steps and tools, and the text. */
export function ComparisonView({ a, b, onSwap, onClear }: ComparisonProps) {
  const { t } = useTranslation('streaming_blocks')
  const { data, isError, refetch } = useQuery({
    queryKey: ['checkpoint-comparison', a.id, b.id],
    queryFn: ({ signal }) => call(compareCheckpoints, { query: { a: a.id, b: b.id }, signal }),
  })
  const nameOf = (item: Checkpoint) => item.label ?? checkpointLabel(t, item.checkpoint_name)
  return (
    <section aria-label={`${nameOf(a)} → ${nameOf(b)}`}>
      <div className="mb-2 flex items-center gap-2 text-13 font-semibold">
        <span className="truncate">{nameOf(a)}</span>
        <ArrowRight aria-hidden className="icon-14 flex-none text-ink-3" />
        <span className="truncate">{nameOf(b)}</span>
        <span className="flex-1" />
        <IconButton name={t('checkpoints.swap')} size="sm" onClick={onSwap}>
          <ArrowLeftRight aria-hidden className="icon" />
        </IconButton>
        <Button variant="ghost" size="sm" onClick={onClear}>
          {t('checkpoints.clear')}
        </Button>
      </div>
      {data ? (
        <div className="space-y-3">
          <Numbers comparison={data} />
          <BeliefChanges changes={data.belief} />
          <BlockChanges changes={data.blocks} />
          <TextChanges lines={data.text} isCut={data.is_text_cut} />
        </div>
      ) : isError ? (
        <EmptyState
          title={t('checkpoints.compare_failed')}
          action={
            <Button icon={<RotateCcw aria-hidden className="icon" />} onClick={() => void refetch()}>
              {t('load_failed.retry')}
            </Button>
          }
        />
      ) : (
        <Delayed>
          <Skeleton className="h-40 rounded-card" />
        </Delayed>
      )}
    </section>
  )
}

const rows: (keyof CheckpointNumbers)[] = [
  ...(['steps', 'tool_calls', 'messages', 'facts', 'open_questions', 'tokens', 'time_ms', 'cost'] as const),
]

function Numbers({ comparison: { a, b } }: { comparison: Comparison }) {
  const { t } = useTranslation('streaming_blocks')
  return (
    <div className="overflow-hidden rounded-card border border-line">
      <table className="num w-full text-13">
        <thead>
          <tr className="border-b border-line bg-surface text-12 text-ink-2">
            <td className="px-3.5 py-1.5" />
            {['A', 'B', t('checkpoints.change')].map((head) => (
              <th key={head} scope="col" className="px-3.5 py-1.5 text-right font-medium">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row} className="border-b border-line last:border-0">
              <th scope="row" className="px-3.5 py-1.5 text-left font-regular">
                {t(`checkpoints.numbers.${row === 'time_ms' ? 'time' : row}`)}
              </th>
              <td className="px-3.5 py-1.5 text-right text-ink-2">{show(row, a.numbers[row])}</td>
              <td className="px-3.5 py-1.5 text-right">{show(row, b.numbers[row])}</td>
              <td className="px-3.5 py-1.5 text-right font-medium">
                {show(row, b.numbers[row] - a.numbers[row], true)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function show(row: keyof CheckpointNumbers, value: number, isSigned = false): string {
  if (row === 'cost') return formatCost(value, { isSigned })
  const sign = isSigned ? { signDisplay: 'exceptZero' as const } : {}
  if (row !== 'time_ms') return formatNumber(value, sign)
  const seconds = { style: 'unit', unit: 'second', unitDisplay: 'narrow', ...sign } as const
  return formatNumber(value / 1000, { ...seconds, maximumFractionDigits: Math.abs(value) < 10_000 ? 1 : 0 })
}
