import { CircleCheck, CircleDashed, CircleX } from 'lucide-react'
import type { ReactNode } from 'react'
import { RagPhase } from '#shared/knowledge/rag/rag.ts'
import { formatNumber } from '../../platform/i18n/format.ts'
import { type TFunction, useTranslation } from '../../platform/i18n/i18n.ts'
import { whySkipped } from '../../platform/i18n/why-skipped.ts'
import { Spinner } from '../../platform/ui/states/spinner.tsx'
import type { RagProgress } from './rag-progress.ts'

const stages = ['RETRIEVAL', 'RERANKING', 'GENERATION'] as const
type Stage = (typeof stages)[number]
type State = 'pending' | 'started' | 'completed' | 'failed'

/** The state of search, reranking and generation, each with its duration. */
export function RagStages({ progress }: { progress: RagProgress }) {
  const { t } = useTranslation('vectors')
  return (
    <ol
      aria-label={t('rag.stages.title')}
      className="grid divide-line rounded-card border border-line bg-raised max-md:divide-y md:grid-cols-3 md:divide-x"
    >
      {stages.map((stage) => {
        const state = stateOf(progress, stage)
        const { seconds, words } = toldOf(t, progress, stage)
        return (
          <li
            key={stage}
            aria-current={state === 'started' ? 'step' : undefined}
            className="min-w-0 px-4 py-3"
          >
            <div className="flex items-center gap-2 text-13">
              {icons[state]}
              <span className="font-medium">{t(`rag.stages.${stage}`)}</span>
              <span className="sr-only">{t(`rag.stages.${state}`)}</span>
              {seconds !== null && (
                <span className="num ml-auto flex-none text-ink-2">{tookText(t, seconds)}</span>
              )}
            </div>
            <p className="num mt-0.5 ml-5.5 min-h-4 text-12 break-words text-ink-3">{words}</p>
          </li>
        )
      })}
    </ol>
  )
}

const icons: Record<State, ReactNode> = {
  pending: <CircleDashed aria-hidden className="icon-14 text-ink-3" />,
  started: <Spinner className="icon-14 text-accent" />,
  completed: <CircleCheck aria-hidden className="icon-14 text-success" />,
  failed: <CircleX aria-hidden className="icon-14 text-danger" />,
}

function stateOf({ status, phase }: RagProgress, stage: Stage): State {
  if (status === 'results') return 'completed'
  const order = RagPhase.options
  const ahead = order.indexOf(stage) - order.indexOf(phase)
  if (ahead < 0) return 'completed'
  if (ahead > 0) return 'pending'
  return status === 'error' ? 'failed' : 'started'
}

type Told = { seconds: number | null; words: string }

function toldOf(t: TFunction, { found, answer }: RagProgress, stage: Stage): Told {
  const nothing = { seconds: null, words: '' }
  if (stage === 'GENERATION') return answer ? ofGeneration(t, answer) : nothing
  if (!found) return nothing
  const { search_results: search, reranking_results: ranking } = found
  if (stage === 'RETRIEVAL')
    return {
      seconds: search.seconds,
      words: t('rag.stages.searched', {
        ...{ type: t(`search.types.${search.search_type}`), count: search.total },
        documents: t('rag.stages.documents', { count: search.documents }),
      }),
    }
  if (ranking.status === 'off') return { seconds: null, words: t('rag.stages.off') }
  const told =
    ranking.status === 'skipped'
      ? t('rag.stages.skipped', { reranker: ranking.reranker })
      : t('rag.stages.ranked', { reranker: ranking.reranker, from: search.total, to: ranking.total })
  const why =
    ranking.status === 'skipped'
      ? whySkipped(t, ranking)
      : ranking.instead_of && t('search.instead', { wanted: ranking.instead_of, reranker: ranking.reranker })
  return { seconds: ranking.seconds, words: [told, why].filter(Boolean).join(' · ') }
}

function ofGeneration(t: TFunction, { generation_results }: NonNullable<RagProgress['answer']>): Told {
  const { model, total_tokens: count, input_tokens, output_tokens, timing } = generation_results
  const numbers = { total: formatNumber(count), input: formatNumber(input_tokens) }
  const words = t('rag.stages.written', { model, count, ...numbers, output: formatNumber(output_tokens) })
  return { seconds: timing.total_seconds, words }
}

/** Formats a duration, in milliseconds below a second. */
export function tookText(t: TFunction, seconds: number): string {
  return seconds < 1
    ? t('rag.milliseconds', { count: Math.round(seconds * 1000) })
    : t('chunks.seconds', { seconds: formatNumber(seconds, { maximumFractionDigits: 2 }) })
}
