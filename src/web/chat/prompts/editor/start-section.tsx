import { X } from 'lucide-react'
import { DocumentChoice } from '../../../knowledge/documents/documents.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { modelLabel } from '../../../platform/lib/models/model-label.ts'
import { Switch } from '../../../platform/ui/checkbox.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { ToolRow, UnavailableTool, useNameOf, useTools } from '../../../tools/tools/tools.ts'
import { useAssistants } from '../../assistants/assistants.ts'
import { useModel } from '../../composer/composer.tsx'
import type { SectionProps } from './text-section.tsx'

/** Maximum documents that a prompt brings. */
const MAX_DOCUMENTS = 100

/** The assistant, model, tools and documents of the chat that the prompt starts. */
export function StartSection({ draft, change }: SectionProps) {
  const { t } = useTranslation(['prompts', 'streaming_blocks'])
  const { data: assistants = [], more } = useAssistants()
  const { models } = useModel(null, draft.model_name)
  const known = assistants.some(({ id }) => id === draft.assistant_id)
  const others =
    draft.assistant_id && !known ? [{ value: draft.assistant_id, label: t('start.other_assistant') }] : []
  const isOffered = models.some(({ id }) => id === draft.model_name)
  const gone =
    draft.model_name && !isOffered
      ? [{ value: draft.model_name, label: modelLabel(draft.model_name, t) }]
      : []
  return (
    <>
      <p className="text-13 text-ink-2">{t('start.note')}</p>
      <div className="grid gap-4 md:grid-cols-2">
        <Field label={t('start.assistant')}>
          <Select
            value={draft.assistant_id ?? ''}
            options={[
              { value: '', label: t('start.any') },
              ...others,
              ...assistants.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onFocus={() => more?.load()}
            onValueChange={(next) => change({ assistant_id: next || null })}
          />
        </Field>
        <Field label={t('start.model')}>
          <Select
            value={draft.model_name ?? ''}
            options={[
              { value: '', label: t('start.any') },
              ...gone,
              ...models.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onValueChange={(next) => change({ model_name: next || null })}
          />
        </Field>
      </div>
      <section className="grid gap-2">
        <h2 className="text-13 font-medium">{t('start.documents')}</h2>
        <DocumentChoice
          name={t('start.documents')}
          ids={draft.documents}
          disabled={false}
          onChange={(documents) => change({ documents: documents.slice(0, MAX_DOCUMENTS) })}
        />
      </section>
      <Tools {...{ draft, change }} />
    </>
  )
}

function Tools({ draft, change }: SectionProps) {
  const { t } = useTranslation(['prompts', 'tool_ui'])
  const { data: tools } = useTools()
  const nameOf = useNameOf()
  if (!tools) return <Skeletons sizes={['h-13 w-full', 'h-13 w-full']} />
  const all = tools.map(({ id }) => id)
  const chosen = draft.tools ?? all
  const toggle = (id: string, isOn: boolean) =>
    change({ tools: isOn ? [...chosen, id] : chosen.filter((other) => other !== id) })
  return (
    <section className="grid gap-2">
      <h2 className="text-13 font-medium">{t('start.tools')}</h2>
      <Switch
        checked={draft.tools === null}
        onCheckedChange={(isUsual) => change({ tools: isUsual ? null : all.slice(0, 100) })}
        label={<span className="text-13">{t('start.usual_tools')}</span>}
      />
      {draft.tools !== null && (
        <ul className="divide-y divide-line rounded-card border border-line">
          {tools.map((tool) => (
            <ToolRow key={tool.id} tool={tool}>
              <Switch
                aria-label={t('start.use_tool', { tool: nameOf(tool) })}
                checked={chosen.includes(tool.id)}
                onCheckedChange={(isOn) => toggle(tool.id, isOn)}
              />
            </ToolRow>
          ))}
          {chosen
            .filter((id) => !all.includes(id))
            .map((id) => (
              <UnavailableTool key={id} id={id}>
                <IconButton name={t('start.remove_tool', { tool: id })} onClick={() => toggle(id, false)}>
                  <X aria-hidden className="icon" />
                </IconButton>
              </UnavailableTool>
            ))}
        </ul>
      )}
    </section>
  )
}
