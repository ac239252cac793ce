import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import {
  Calculator,
  CalendarDays,
  ChartColumn,
  FileText,
  Lightbulb,
  ListChecks,
  PenLine,
  Scale,
} from 'lucide-react'
import { useEffect, useState } from 'react'
import { BUILT_IN_MODEL } from '#shared/models/connections/connections.ts'
import { LocalServersLine } from '../../models/connections/connections.tsx'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useMe } from '../../platform/lib/me/me.ts'
import { useToken } from '../../platform/lib/me/token.ts'
import { availableModels } from '../../platform/lib/models/available-models.ts'
import { prefersReducedMotion } from '../../platform/lib/page-state.ts'
import { modelOf } from '../composer/composer.tsx'

/** Duration of each example. */
export const EXAMPLE_MS = 4000
/** Examples for the built-in model, and for a language model. */
export const builtInExamples = ['calculate', 'table', 'deadline', 'summarise'] as const
const modelExamples = ['draft', 'explain', 'compare', 'prepare'] as const
type ExampleName = (typeof builtInExamples)[number] | (typeof modelExamples)[number]

const icons = {
  ...{ calculate: Calculator, table: ChartColumn, deadline: CalendarDays, summarise: FileText },
  ...{ draft: PenLine, explain: Lightbulb, compare: Scale, prepare: ListChecks },
}

/** Returns the examples for a chat's model; those of the built-in model until it is known. */
export function useExamples(modelName: string | null): readonly ExampleName[] {
  const { data: models = [] } = useQuery({ ...availableModels, enabled: useToken() !== null })
  const model = modelOf(models, modelName)
  return model && model.id !== BUILT_IN_MODEL ? modelExamples : builtInExamples
}

/** Returns the current example; it stops rotating once the person has shown interest in one. */
export function useExampleCycle() {
  const [index, setIndex] = useState(0)
  const [keepsAnimating, setKeepsAnimating] = useState(() => !prefersReducedMotion())
  useEffect(() => {
    if (!keepsAnimating) return
    const timer = setInterval(() => setIndex((at) => (at + 1) % builtInExamples.length), EXAMPLE_MS)
    return () => clearInterval(timer)
  }, [keepsAnimating])
  const hold = (at: number) => {
    setKeepsAnimating(false)
    setIndex(at)
  }
  return { index, hold, stop: () => setKeepsAnimating(false) }
}

/** The text above the composer of an empty chat. */
export function Greeting() {
  const { t } = useTranslation('streaming_blocks')
  const me = useMe()
  const name = me?.full_name?.trim().split(/\s+/)[0] || me?.username
  const part = partOfDay(new Date().getHours())
  return (
    <div className="column flex h-full flex-col justify-end pb-7 text-center">
      <h2 className="text-28 leading-9 font-[560] tracking-[-0.022em] text-balance">
        {name ? t(`welcome.${part}_name`, { name }) : t(`welcome.${part}`)}
      </h2>
      <p className="mt-1.5 text-15 text-ink-2">{t('welcome.hint')}</p>
    </div>
  )
}

type ExamplesProps = {
  names: readonly ExampleName[]
  index: number
  onHold: (at: number) => void
  onChoose: (text: string) => void
}

/** Examples as plain cards below the composer, highlighted in turn. */
export function Examples({ names, index, onHold, onChoose }: ExamplesProps) {
  const { t } = useTranslation('streaming_blocks')
  return (
    <>
      <ul
        aria-label={t('welcome.examples')}
        className="column grid grid-cols-2 gap-2 pt-4 pb-10 max-md:grid-cols-1"
      >
        {names.map((name, at) => {
          const Icon = icons[name]
          return (
            <li key={name}>
              <button
                type="button"
                onPointerEnter={() => onHold(at)}
                onFocus={() => onHold(at)}
                onClick={() => onChoose(t(`welcome.${name}.text`))}
                className={clsx(
                  'flex h-full w-full items-start gap-3 rounded-card border px-4 py-3.5 text-left transition-colors duration-300',
                  at === index ? 'border-line-2 bg-surface' : 'border-line bg-bg',
                )}
              >
                <Icon aria-hidden className="icon-18 mt-px text-ink-3" />
                <span>
                  <span className="block text-14 font-medium">{t(`welcome.${name}.title`)}</span>
                  <span className="mt-0.5 block text-13 text-ink-2">{t(`welcome.${name}.note`)}</span>
                </span>
              </button>
            </li>
          )
        })}
      </ul>
      <LocalServersLine />
    </>
  )
}

function partOfDay(hour: number): 'morning' | 'afternoon' | 'evening' {
  if (hour >= 5 && hour < 12) return 'morning'
  return hour >= 12 && hour < 18 ? 'afternoon' : 'evening'
}
