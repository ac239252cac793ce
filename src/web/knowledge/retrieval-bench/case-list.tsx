import clsx from 'clsx'
import { MessageSquare, Plus, Search } from 'lucide-react'
import { useState } from 'react'
import type { BenchRun, BenchSet } from '#shared/knowledge/retrieval-bench/retrieval-bench.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Input } from '../../platform/ui/input.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { FeedbackDialog } from './feedback-dialog.tsx'
import { PageTurns } from './page-turns.tsx'
import { Ranks } from './ranks.tsx'
import { useCases } from './use-retrieval-bench.ts'

type Props = {
  set: BenchSet
  runs: BenchRun[]
  /** Results of the runs so far. */
  done: number
  chosen: string | null
  onChoose: (caseId: string | null) => void
}

/** The questions of a set, searchable, each with its ranks in the runs. */
export function CaseList({ set, runs, done, chosen, onChoose }: Props) {
  const { t } = useTranslation('admin')
  const [q, setQ] = useState('')
  const [page, setPage] = useState(1)
  const [isTaking, setTaking] = useState(false)
  const { data, error } = useCases(set.id, q.trim(), page, done)
  return (
    <>
      <Input
        quiet
        icon={<Search aria-hidden />}
        aria-label={t('debug.bench.find')}
        placeholder={t('debug.bench.find')}
        maxLength={200}
        value={q}
        onChange={({ target }) => {
          setQ(target.value)
          setPage(1)
        }}
      />
      {error && <Callout tone="danger">{errorText(t, error)}</Callout>}
      {!data && !error && <Skeletons sizes={['h-10 w-full', 'h-10 w-full']} className="grid gap-2" />}
      {data?.items.length === 0 && (
        <p className="text-13 text-ink-2">
          {t(q.trim() === '' ? 'debug.bench.no_questions' : 'debug.bench.nothing_found')}
        </p>
      )}
      <ul aria-label={t('debug.bench.questions_list')} className="grid gap-0.5">
        {data?.items.map((one) => (
          <li key={one.id} className={clsx('rounded-control', one.id === chosen && 'bg-accent-soft')}>
            <button
              type="button"
              aria-current={one.id === chosen || undefined}
              onClick={() => onChoose(one.id)}
              className="grid w-full gap-1 px-2.5 py-1.5 text-left"
            >
              <span className="line-clamp-2 text-13">{one.question}</span>
              <span className="flex flex-wrap items-center gap-2 text-12 text-ink-2">
                <span className="flex-1 whitespace-nowrap">
                  {t('debug.bench.expected', { count: one.expected.length })}
                </span>
                {one.expected.length > 0 && <Ranks ranks={one.ranks} runs={runs} />}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {data && <PageTurns page={page} total={data.total} onPage={setPage} />}
      <div className="flex flex-wrap items-center gap-2">
        <Button icon={<Plus aria-hidden className="icon" />} onClick={() => onChoose(null)}>
          {t('debug.bench.add')}
        </Button>
        <Button icon={<MessageSquare aria-hidden className="icon" />} onClick={() => setTaking(true)}>
          {t('debug.bench.from_feedback')}
        </Button>
      </div>
      <p className="num text-12 text-ink-3">
        {t('debug.bench.judged', { judged: formatNumber(set.judged), total: formatNumber(set.cases) })}
      </p>
      {isTaking && <FeedbackDialog set={set} onClose={() => setTaking(false)} />}
    </>
  )
}
