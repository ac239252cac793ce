import type { ReactNode } from 'react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useOneAssistantQuery } from './use-assistants.ts'

type AssistantExamplesProps = {
  id: string
  onChoose: (text: string) => void
  /** Shown if the assistant has no examples. */
  children: ReactNode
}

/** Starters of a chat with an assistant, as cards below the composer. */
export function AssistantExamples({ id, onChoose, children }: AssistantExamplesProps) {
  const { t } = useTranslation('assistant')
  const { data } = useOneAssistantQuery(id)
  // An assistant from a list has no examples until it has been loaded.
  const examples: string[] | undefined = data?.example_prompts
  if (data && !examples) return null
  if (!examples?.length) return data === undefined ? null : children
  return (
    <ul
      aria-label={t('field.examples')}
      className="column grid grid-cols-2 gap-2 pt-4 pb-10 max-md:grid-cols-1"
    >
      {examples.map((text) => (
        <li key={text}>
          <button
            type="button"
            className="flex h-full w-full items-center rounded-card border border-line bg-bg px-4 py-3.5 text-left text-14 hover-motion hover:border-line-2 hover:bg-surface"
            onClick={() => onChoose(text)}
          >
            <span dir="auto" className="line-clamp-2">
              {text}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
