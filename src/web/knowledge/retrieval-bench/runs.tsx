import { Play } from 'lucide-react'
import { useState } from 'react'
import type { BenchRun, BenchSet } from '#shared/knowledge/retrieval-bench/retrieval-bench.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { FigureTable } from './figure-table.tsx'
import { QuestionTable } from './question-table.tsx'
import { RunDialog } from './run-dialog.tsx'

type Props = {
  set: BenchSet
  runs: BenchRun[]
  done: number
  error: Error | null
  isPending: boolean
  retry: () => void
  onQuestion: (caseId: string) => void
}

/** The runs of a set side by side, and the results by question. */
export function Runs({ set, runs, done, error, isPending, retry, onQuestion }: Props) {
  const { t } = useTranslation('admin')
  const [isBeginning, setBeginning] = useState(false)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="text-18 font-semibold">
          {t('debug.bench.runs', { count: runs.length, number: formatNumber(runs.length) })}
        </h2>
        <span className="text-13 text-ink-2">{runs.at(-1)?.model}</span>
        <span className="flex-1" />
        <Button
          variant="primary"
          disabled={set.cases === 0}
          icon={<Play aria-hidden className="icon" />}
          onClick={() => setBeginning(true)}
        >
          {t('debug.bench.new_run')}
        </Button>
      </div>
      {error && (
        <Callout
          tone="danger"
          action={
            <Button size="sm" onClick={retry}>
              {t('models.retry')}
            </Button>
          }
        >
          {errorText(t, error)}
        </Callout>
      )}
      {isPending && <Skeletons sizes={['h-10 w-full', 'h-10 w-full']} className="grid gap-2" />}
      {!isPending && !error && runs.length === 0 && (
        <div className="rounded-card border border-line">
          <EmptyState title={t('debug.bench.no_runs')}>
            {t(set.cases === 0 ? 'debug.bench.no_runs_yet' : 'debug.bench.no_runs_text')}
          </EmptyState>
        </div>
      )}
      {runs.length > 0 && <FigureTable runs={runs} />}
      {runs.length > 0 && <QuestionTable {...{ set, runs, done, onQuestion }} />}
      {isBeginning && <RunDialog set={set} onClose={() => setBeginning(false)} />}
    </div>
  )
}
