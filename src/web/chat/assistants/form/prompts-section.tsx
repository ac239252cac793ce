import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Assistant } from '#shared/chat/assistants/assistants.ts'
import { BUILT_IN_MODEL } from '#shared/models/connections/connections.ts'
import { AgentType } from '#shared/runs/runs/agent-type.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { availableModels } from '../../../platform/lib/models/available-models.ts'
import { modelLabel } from '../../../platform/lib/models/model-label.ts'
import { Switch } from '../../../platform/ui/checkbox.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Input, Textarea } from '../../../platform/ui/input.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { Advanced } from './advanced.tsx'
import type { SectionProps } from './draft.ts'
import { ExamplePrompts } from './example-prompts.tsx'
import { IconChoice } from './icon-choice.tsx'

type PromptsSectionProps = SectionProps & { assistant: Assistant | null; isNameMissing: boolean }

/** The identity of the assistant: name, instructions, agent type and starters. */
export function PromptsSection({ assistant, draft, change, isNameMissing }: PromptsSectionProps) {
  const { t } = useTranslation(['assistant', 'streaming_blocks'])
  const [isAdvanced, setAdvanced] = useState(false)
  return (
    <>
      <div className="grid grid-cols-2 gap-4 max-md:grid-cols-1">
        <Field label={t('field.name')} error={isNameMissing ? t('field.name_missing') : undefined}>
          <Input
            value={draft.name}
            maxLength={100}
            autoFocus={assistant === null}
            onChange={({ target }) => change({ name: target.value })}
          />
        </Field>
        <Field label={t('field.agent_type')} hint={t(`streaming_blocks:agent.${draft.agent_type}.note`)}>
          <Select
            value={draft.agent_type}
            onValueChange={(value) => change({ agent_type: AgentType.parse(value) })}
            options={AgentType.options.map((value) => ({
              value,
              label: t(`streaming_blocks:agent.${value}.name`),
            }))}
          />
        </Field>
      </div>
      <IconChoice value={draft.icon} onChange={(icon) => change({ icon })} />
      <Field label={t('field.description')} optional>
        <Input
          value={draft.description}
          maxLength={500}
          onChange={({ target }) => change({ description: target.value })}
        />
      </Field>
      <Field
        label={t('field.system_prompt')}
        optional
        hint={t('field.system_prompt_hint', { count: draft.system_prompt.length })}
      >
        <Textarea
          value={draft.system_prompt}
          maxLength={50_000}
          className="!min-h-33 !text-13 !leading-[1.6]"
          onChange={({ target }) => change({ system_prompt: target.value })}
        />
      </Field>
      <ModelField draft={draft} change={change} />
      <ExamplePrompts
        value={draft.example_prompts}
        onChange={(example_prompts) => change({ example_prompts })}
      />
      <span data-tour="advanced">
        <Switch
          checked={isAdvanced}
          onCheckedChange={setAdvanced}
          label={<Worded title={t('advanced.title')} note={t('advanced.note')} />}
        />
      </span>
      {isAdvanced && <Advanced {...{ assistant, draft, change }} />}
    </>
  )
}

function Worded({ title, note }: { title: string; note: string }) {
  return (
    <>
      <span className="text-13 font-medium">{title}</span> <span className="text-12 text-ink-3">{note}</span>
    </>
  )
}

function ModelField({ draft, change }: SectionProps) {
  const { t } = useTranslation('assistant')
  const { data: models = [] } = useQuery(availableModels)
  const known = models.map(({ id, name }) => ({
    value: id,
    label: id === BUILT_IN_MODEL ? modelLabel(id, t) : name,
  }))
  const isUnknown = draft.model_name !== null && !known.some(({ value }) => value === draft.model_name)
  return (
    <Field label={t('field.model')}>
      <Select
        value={draft.model_name ?? ''}
        onValueChange={(value) => change({ model_name: value || null })}
        options={[
          { value: '', label: t('field.model_of_chat') },
          ...(isUnknown
            ? [{ value: draft.model_name ?? '', label: modelLabel(draft.model_name ?? '', t) }]
            : []),
          ...known,
        ]}
      />
    </Field>
  )
}
