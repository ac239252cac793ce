import { FlaskConical, Plus } from 'lucide-react'
import { useState } from 'react'
import type { BenchSet } from '#shared/knowledge/retrieval-bench/retrieval-bench.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { CaseForm } from './case-form.tsx'
import { CaseList } from './case-list.tsx'
import { Runs } from './runs.tsx'
import { SetDialog } from './set-dialog.tsx'
import { SetPicker } from './set-picker.tsx'
import { useRuns, useSets } from './use-retrieval-bench.ts'

/** How well searches find expected passages: questions at the left, runs at the right. */
export function RetrievalBench() {
  const { t } = useTranslation('admin')
  const [chosen, setChosen] = useState<string | null>(null)
  const [isMaking, setMaking] = useState(false)
  const { data, error, refetch } = useSets()
  const set = data?.sets.find(({ id }) => id === chosen) ?? data?.sets[0]
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-6 pb-6 max-md:px-4">
      {error && (
        <Callout
          tone="danger"
          action={
            <Button size="sm" onClick={() => void refetch()}>
              {t('models.retry')}
            </Button>
          }
        >
          {errorText(t, error)}
        </Callout>
      )}
      {!data && !error && <Skeletons sizes={['h-10 w-full', 'h-10 w-full']} className="grid gap-2 pt-4" />}
      {data?.sets.length === 0 && (
        <EmptyState
          icon={<FlaskConical aria-hidden />}
          title={t('debug.bench.none')}
          action={
            <Button
              variant="primary"
              icon={<Plus aria-hidden className="icon" />}
              onClick={() => setMaking(true)}
            >
              {t('debug.bench.new_set')}
            </Button>
          }
        >
          {t('debug.bench.none_text')}
        </EmptyState>
      )}
      {data && set && (
        <Bench key={set.id} set={set}>
          <SetPicker sets={data.sets} set={set} onChoose={setChosen} onNew={() => setMaking(true)} />
        </Bench>
      )}
      {isMaking && <SetDialog onMade={setChosen} onClose={() => setMaking(false)} />}
    </div>
  )
}

/** The shown question, a new one, or the runs. */
type Shown = { caseId: string | null } | null

function Bench({ set, children }: { set: BenchSet; children: React.ReactNode }) {
  const [shown, setShown] = useState<Shown>(null)
  const { data, error, refetch } = useRuns(set.id)
  const runs = data?.runs ?? []
  const done = runs.reduce((sum, run) => sum + run.done, 0)
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-6 pt-4 lg:grid-cols-[280px_minmax(0,1fr)]">
      <div className="flex min-w-0 flex-col gap-4">
        {children}
        <CaseList
          {...{ set, runs, done }}
          chosen={shown?.caseId ?? null}
          onChoose={(caseId) => setShown({ caseId })}
        />
      </div>
      <div className="min-w-0">
        {shown ? (
          <CaseForm
            key={shown.caseId ?? 'new'}
            {...{ set, runs, caseId: shown.caseId }}
            onClose={() => setShown(null)}
          />
        ) : (
          <Runs
            {...{ set, runs, error, isPending: !data && !error, retry: () => void refetch() }}
            onQuestion={(caseId) => setShown({ caseId })}
            done={done}
          />
        )}
      </div>
    </div>
  )
}
