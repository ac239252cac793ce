import clsx from 'clsx'
import { CircleAlert, CircleCheck, CircleDashed } from 'lucide-react'
import type { Document } from '#shared/knowledge/documents/documents.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Spinner } from '../../../platform/ui/states/spinner.tsx'

const steps = ['upload', 'parsing', 'enriching', 'embedding', 'completed'] as const
const stepOfPhase = { UPLOAD: 0, PARSING: 1, CHUNKING_ENRICHMENT: 2, EMBEDDING: 3 } as const

/** The five steps of a document: completed ones, the current one, and remaining ones. */
export function StatusTrack({ document }: { document: Document }) {
  const { t } = useTranslation('documents')
  const at = document.status === 'completed' ? steps.length : stepOfPhase[document.current_phase ?? 'PARSING']
  return (
    <ol
      aria-label={t('preview.steps')}
      className="flex flex-none gap-6 overflow-x-auto border-b border-line px-5 py-2.5 max-md:gap-4"
    >
      {steps.map((step, place) => (
        <li
          key={step}
          aria-current={place === at ? 'step' : undefined}
          data-state={stateOf(place, at, document.status === 'failed')}
          className={clsx(
            'flex min-w-36 flex-1 items-start gap-2 text-13 whitespace-nowrap',
            place > at && 'text-ink-3',
          )}
        >
          <StepIcon state={stateOf(place, at, document.status === 'failed')} />
          <span>
            <span className="block font-medium">{t(`preview.step.${step}`)}</span>
            <span className="block text-12 text-ink-3 max-xl:hidden max-md:block">
              {t(`preview.step_about.${step}`)}
            </span>
          </span>
        </li>
      ))}
    </ol>
  )
}

type State = 'done' | 'current' | 'failed' | 'later'

function stateOf(place: number, at: number, isFailed: boolean): State {
  if (place < at) return 'done'
  if (place > at) return 'later'
  return isFailed ? 'failed' : 'current'
}

function StepIcon({ state }: { state: State }) {
  if (state === 'done') return <CircleCheck aria-hidden className="icon mt-0.5 text-success" />
  if (state === 'failed') return <CircleAlert aria-hidden className="icon mt-0.5 text-danger" />
  if (state === 'current') return <Spinner className="icon mt-0.5" />
  return <CircleDashed aria-hidden className="icon mt-0.5" />
}
