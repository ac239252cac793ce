import { useState } from 'react'
import {
  type BenchCase,
  type BenchRun,
  type BenchSet,
  CASES_A_PAGE,
} from '#shared/knowledge/retrieval-bench/retrieval-bench.ts'
import { formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Choice, Segment } from '../../platform/ui/choices/segments.tsx'
import { PageTurns } from './page-turns.tsx'
import { Rank } from './ranks.tsx'
import { letterOf, useAllCases } from './use-retrieval-bench.ts'

type Props = { set: BenchSet; runs: BenchRun[]; done: number; onQuestion: (caseId: string) => void }

const filters = {
  all: () => true,
  /** Whether the runs disagree on the rank of the first expected passage. */
  differ: (ranks: (number | null)[]) => new Set(ranks).size > 1,
  missed: (ranks: (number | null)[]) => ranks.includes(null),
} satisfies Record<string, (ranks: (number | null)[]) => boolean>

/** The results of all questions of a set, by run. */
export function QuestionTable({ set, runs, done, onQuestion }: Props) {
  const { t } = useTranslation('admin')
  const [filter, setFilter] = useState<keyof typeof filters>('all')
  const [wanted, setPage] = useState(1)
  const { data = [] } = useAllCases(set.id, done)
  const choose = (name: keyof typeof filters) => {
    setFilter(name)
    setPage(1)
  }
  const ranksOf = ({ ranks }: BenchCase) => runs.flatMap(({ id }) => (id in ranks ? [ranks[id] ?? null] : []))
  const measured = data.filter((one) => one.expected.length > 0 && ranksOf(one).length > 0)
  const found = (name: keyof typeof filters) => measured.filter((one) => filters[name](ranksOf(one)))
  if (measured.length === 0) return null
  const shown = found(filter)
  // There may be fewer pages than when the page was selected.
  const page = Math.min(wanted, Math.max(1, Math.ceil(shown.length / CASES_A_PAGE)))
  const first = (page - 1) * CASES_A_PAGE
  return (
    <section aria-label={t('debug.bench.by_question')} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="text-13 font-semibold">{t('debug.bench.by_question')}</h3>
        <span className="text-13 text-ink-2">{t('debug.bench.by_question_about')}</span>
        <span className="flex-1" />
        <Choice name={t('debug.bench.show')}>
          {(['all', 'differ', 'missed'] as const).map((name) => (
            <Segment key={name} isOn={filter === name} onClick={() => choose(name)}>
              {t(`debug.bench.filters.${name}`, { number: formatNumber(found(name).length) })}
            </Segment>
          ))}
        </Choice>
      </div>
      <div className="overflow-x-auto rounded-card border border-line">
        <table className="w-full border-collapse text-13">
          <thead>
            <tr className="text-12 text-ink-3 [&>th]:px-3.5 [&>th]:py-1.5 [&>th]:font-regular">
              <th scope="col" className="text-left">
                {t('debug.bench.question')}
              </th>
              {runs.map(({ id }, at) => (
                <th key={id} scope="col">
                  {letterOf(at)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.slice(first, first + CASES_A_PAGE).map((one) => (
              <tr key={one.id} className="border-t border-line [&>*]:px-3.5 [&>*]:py-1.5">
                <th scope="row" className="w-full min-w-40 text-left font-regular">
                  <button type="button" className="text-left" onClick={() => onQuestion(one.id)}>
                    {one.question}
                  </button>
                </th>
                {runs.map(({ id }, at) => (
                  <td key={id} className="text-center">
                    {id in one.ranks && <Rank rank={one.ranks[id] ?? null} run={letterOf(at)} />}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <PageTurns page={page} total={shown.length} onPage={setPage} />
    </section>
  )
}
