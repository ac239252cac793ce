import { ArrowLeft, Trash2 } from 'lucide-react'
import { useState } from 'react'
import {
  addBenchCase,
  type BenchCase,
  type BenchRun,
  type BenchSet,
  changeBenchCase,
  type ExpectedPassage,
  removeBenchCase,
} from '#shared/knowledge/retrieval-bench/retrieval-bench.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { Textarea } from '../../platform/ui/input.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { ExpectedPassages } from './expected-passages.tsx'
import { settingText } from './figures.ts'
import { PassageFinder } from './passage-finder.tsx'
import { Rank } from './ranks.tsx'
import { letterOf, readAgain, useCase } from './use-retrieval-bench.ts'

type Props = { set: BenchSet; runs: BenchRun[]; caseId: string | null; onClose: () => void }
type Read = { case: BenchCase; passages: ExpectedPassage[] }

/** A question with its expected passages; without an id a new one. */
export function CaseForm({ caseId, ...props }: Props) {
  const { t } = useTranslation('admin')
  const { data, error } = useCase(caseId)
  if (error) return <Callout tone="danger">{errorText(t, error)}</Callout>
  if (caseId !== null && !data)
    return <Skeletons sizes={['h-10 w-full', 'h-10 w-full']} className="grid gap-2" />
  return <Form {...props} read={data ?? null} />
}

function Form({ set, runs, read, onClose }: Omit<Props, 'caseId'> & { read: Read | null }) {
  const { t } = useTranslation('admin')
  const [question, setQuestion] = useState(read?.case.question ?? '')
  const [passages, setPassages] = useState<ExpectedPassage[]>(read?.passages ?? [])
  const done = () => {
    void readAgain()
    onClose()
  }
  const save = useAction(() => {
    const expected = passages.map(({ chunk_id, grade }) => ({ chunk_id, grade }))
    const body = { question, expected }
    return read
      ? call(changeBenchCase, { params: { benchCaseId: read.case.id }, body })
      : call(addBenchCase, { params: { benchSetId: set.id }, body })
  }, done)
  const remove = useAction(
    () => call(removeBenchCase, { params: { benchCaseId: read?.case.id ?? '' } }),
    done,
  )
  const error = save.error ?? remove.error
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex items-center gap-2">
        <IconButton name={t('debug.bench.back')} onClick={onClose}>
          <ArrowLeft aria-hidden className="icon" />
        </IconButton>
        <h2 className="min-w-0 flex-1 text-18 font-semibold">
          {t(read ? 'debug.bench.question' : 'debug.bench.add')}
        </h2>
        {read && (
          <Button
            variant="danger-ghost"
            icon={<Trash2 aria-hidden className="icon" />}
            busy={remove.isPending}
            onClick={() => void remove.run()}
          >
            {t('models.delete')}
          </Button>
        )}
        <Button
          variant="primary"
          busy={save.isPending}
          disabled={question.trim() === ''}
          onClick={() => void save.run()}
        >
          {t('debug.bench.save')}
        </Button>
      </div>
      {error !== null && <Callout tone="danger">{errorText(t, error)}</Callout>}
      <Field label={t('debug.bench.question')}>
        <Textarea
          rows={2}
          maxLength={4_000}
          value={question}
          onChange={({ target }) => setQuestion(target.value)}
        />
      </Field>
      {read?.case.origin && (
        <p className="text-13 text-ink-2">{t(`debug.bench.origin.${read.case.origin.rating}`)}</p>
      )}
      <ExpectedPassages passages={passages} onChange={setPassages} />
      <PassageFinder
        first={question}
        taken={passages.map(({ chunk_id }) => chunk_id)}
        onTake={(passage) => setPassages([...passages, passage])}
      />
      {read && Object.keys(read.case.ranks).length > 0 && read.case.expected.length > 0 && (
        <LastResults ranks={read.case.ranks} runs={runs} />
      )}
    </div>
  )
}

function LastResults({ ranks, runs }: { ranks: BenchCase['ranks']; runs: BenchRun[] }) {
  const { t } = useTranslation('admin')
  return (
    <section aria-label={t('debug.bench.last_results')} className="grid gap-2 text-13">
      <h3 className="text-13 font-semibold">{t('debug.bench.last_results')}</h3>
      <ul className="rounded-card border border-line">
        {runs.map(
          ({ id, setting }, at) =>
            id in ranks && (
              <li key={id} className="flex items-center gap-3 border-t border-line px-4 py-3 first:border-0">
                <span className="font-semibold">{letterOf(at)}</span>
                <span className="min-w-0 flex-1 text-ink-2">{settingText(t, setting).join(' · ')}</span>
                <Rank rank={ranks[id] ?? null} run={letterOf(at)} />
              </li>
            ),
        )}
      </ul>
    </section>
  )
}
