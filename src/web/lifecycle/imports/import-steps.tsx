import clsx from 'clsx'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from '../../platform/i18n/i18n.ts'

const steps = ['source', 'preview', 'import', 'receipt'] as const
type StepName = (typeof steps)[number]

/** The head of a step: a heading, a sentence, and the place among the four steps. */
export function StepHead({ title, text, step }: { title: string; text: ReactNode; step: StepName }) {
  return (
    <>
      <h2 className="text-22 leading-7 font-semibold tracking-[-0.02em]">{title}</h2>
      <p className="mt-1 mb-5 min-h-5 text-14 break-words text-ink-2">{text}</p>
      <ImportSteps step={step} />
    </>
  )
}

/** The four steps of an import; `step` is the current one. */
export function ImportSteps({ step }: { step: StepName }) {
  const { t } = useTranslation('imports')
  const now = steps.indexOf(step)
  return (
    <ol className="flex items-center" aria-label={t('steps.label')}>
      {steps.map((name, at) => (
        <li
          key={name}
          aria-current={at === now ? 'step' : undefined}
          className={clsx('flex items-center gap-2 text-13', at < steps.length - 1 && 'flex-1')}
        >
          <span
            className={clsx(
              'num inline-grid size-6 flex-none place-items-center rounded-pill border text-12 font-medium',
              at < now && 'border-transparent bg-accent-soft text-accent',
              at === now && 'border-transparent bg-accent text-accent-fg',
              at > now && 'border-line-2 text-ink-3',
            )}
          >
            {at < now ? <Check aria-hidden className="icon-14" /> : at + 1}
          </span>
          <span className={clsx(at === now ? 'font-medium' : 'text-ink-3 max-md:sr-only')}>
            {t(`steps.${name}`)}
          </span>
          {at < steps.length - 1 && <span aria-hidden className="mr-2 h-px flex-1 bg-line" />}
        </li>
      ))}
    </ol>
  )
}
