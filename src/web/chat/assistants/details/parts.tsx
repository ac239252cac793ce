import { ArrowUpRight } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import type { Assistant } from '#shared/chat/assistants/assistants.ts'
import { DocumentRow } from '../../../knowledge/documents/documents.ts'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { modelLabel } from '../../../platform/lib/models/model-label.ts'
import { ToolRow, UnavailableTool, useTools } from '../../../tools/tools/tools.ts'

type PartProps = { assistant: Assistant }

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="mt-8">
      <h3 id={id} className="mb-2 text-13 font-semibold">
        {title}
      </h3>
      {children}
    </section>
  )
}

/** Its agent type, model and temperature. */
export function Facts({ assistant }: PartProps) {
  const { t } = useTranslation(['assistant', 'streaming_blocks'])
  const { agent_type, model_name, temperature } = assistant
  const facts = [
    [t('field.agent_type'), t(`streaming_blocks:agent.${agent_type}.name`)],
    [t('field.model'), model_name ? modelLabel(model_name, t) : t('field.model_of_chat')],
    [
      t('advanced.temperature'),
      temperature === null ? t('advanced.model_decides') : formatNumber(temperature),
    ],
  ]
  return (
    <dl className="mt-8 grid grid-cols-3 divide-x divide-line rounded-card border border-line max-md:grid-cols-1 max-md:divide-x-0 max-md:divide-y">
      {facts.map(([name, value]) => (
        <div key={name} className="min-w-0 px-4 py-3">
          <dt className="text-12 text-ink-3">{name}</dt>
          <dd className="truncate text-14 font-medium">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The starters; a click opens a chat with the text. */
export function Examples({ assistant, onChoose }: PartProps & { onChoose: (text: string) => void }) {
  const { t } = useTranslation('assistant')
  if (assistant.example_prompts.length === 0) return null
  return (
    <Part title={t('field.examples')}>
      <ul className="grid gap-2">
        {assistant.example_prompts.map((text) => (
          <li key={text}>
            <button
              type="button"
              className="flex w-full items-center gap-3 rounded-card border border-line px-4 py-3 text-left text-14 hover-motion hover:border-line-2 hover:bg-surface"
              onClick={() => onChoose(text)}
            >
              <span className="min-w-0 flex-1">{text}</span>
              <ArrowUpRight aria-hidden className="icon text-ink-3" />
            </button>
          </li>
        ))}
      </ul>
    </Part>
  )
}

export function Instructions({ assistant }: PartProps) {
  const { t } = useTranslation('assistant')
  if (!assistant.system_prompt.trim()) return null
  return (
    <Part title={t('field.system_prompt')}>
      <p
        dir="auto"
        className="max-h-80 overflow-y-auto rounded-card border border-line bg-surface px-4 py-3 text-13 leading-[1.6] break-words whitespace-pre-wrap"
      >
        {assistant.system_prompt}
      </p>
    </Part>
  )
}

export function Files({ assistant }: PartProps) {
  const { t } = useTranslation('assistant')
  if (assistant.documents.length === 0) return null
  return (
    <Part title={t('files.title')}>
      <ul className="divide-y divide-line rounded-card border border-line">
        {assistant.documents.map((id) => (
          <DocumentRow key={id} id={id} />
        ))}
      </ul>
    </Part>
  )
}

/** The tools it may use, including those the person cannot view. */
export function Tools({ assistant }: PartProps) {
  const { t } = useTranslation(['assistant', 'tool_ui'])
  const { data: tools } = useTools()
  if (assistant.tools === null)
    return (
      <Part title={t('section.tools')}>
        <p className="text-13 text-ink-2">{t('tools.all_note')}</p>
      </Part>
    )
  if (!tools || assistant.tools.length === 0) return null
  return (
    <Part title={t('section.tools')}>
      <ul className="divide-y divide-line rounded-card border border-line">
        {assistant.tools.map((id) => {
          const tool = tools.find((one) => one.id === id)
          return tool ? <ToolRow key={id} tool={tool} /> : <UnavailableTool key={id} id={id} />
        })}
      </ul>
    </Part>
  )
}
