import type { BenchCase, BenchRun } from '#shared/knowledge/retrieval-bench/retrieval-bench.ts'
import { formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Badge } from '../../platform/ui/badge.tsx'
import { letterOf } from './use-retrieval-bench.ts'

type Props = { ranks: BenchCase['ranks']; runs: BenchRun[] }

/** Maximum rank that counts as good. */
const GOOD = 5

/** The rank of the first expected passage in each run. */
export function Ranks({ ranks, runs }: Props) {
  return (
    <span className="flex gap-1">
      {runs.map(({ id }, at) => id in ranks && <Rank key={id} rank={ranks[id] ?? null} run={letterOf(at)} />)}
    </span>
  )
}

/** `run` is the letter of the run. */
export function Rank({ rank, run }: { rank: number | null; run: string }) {
  const { t } = useTranslation('admin')
  const tone = rank === null ? 'danger' : rank > GOOD ? 'warning' : 'success'
  const words = rank === null ? t('debug.bench.missed_in', { run }) : t('debug.bench.rank_in', { rank, run })
  return (
    <Badge tone={tone}>
      <span aria-hidden className="num">
        {rank === null ? '–' : formatNumber(rank)}
      </span>
      <span className="sr-only">{words}</span>
    </Badge>
  )
}
