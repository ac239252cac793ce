import clsx from 'clsx'
import { Check, X } from 'lucide-react'
import type { PhaseStatus } from '#shared/knowledge/rag/rag.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { Spinner } from '../ui/states/spinner.tsx'

/** A phase of a tool; `note` shows its count. */
export type TrackedPhase = {
  id: string
  name: string
  status: PhaseStatus | 'failed'
  note?: string | undefined
}

const bars = { pending: 'bg-surface-3', started: 'bg-accent', completed: 'bg-success', failed: 'bg-danger' }

/** The phases of a tool side by side, with the reported progress. */
export function PhaseTrack({ phases }: { phases: readonly TrackedPhase[] }) {
  const { t } = useTranslation('streaming_blocks')
  return (
    <ol aria-label={t('phases.title')} className="flex flex-wrap gap-1.5">
      {phases.map(({ id, name, status, note }) => (
        <li
          key={id}
          aria-current={status === 'started' ? 'step' : undefined}
          className={clsx(
            'grid flex-auto content-start gap-1.5 text-12 whitespace-nowrap',
            status === 'started' ? 'font-medium text-ink' : 'text-ink-2',
          )}
        >
          <span aria-hidden className={clsx('h-0.5 rounded-pill', bars[status])} />
          <span className="flex items-center gap-1.5">
            {status === 'started' && <Spinner className="icon-12 flex-none text-accent" />}
            {status === 'completed' && <Check aria-hidden className="icon-12 flex-none text-success" />}
            {status === 'failed' && <X aria-hidden className="icon-12 flex-none text-danger" />}
            <span>{name}</span>
            {note && <span className="num flex-none font-normal text-ink-3 max-md:hidden">{note}</span>}
            <span className="sr-only">{t(`phases.${status}`)}</span>
          </span>
        </li>
      ))}
    </ol>
  )
}
