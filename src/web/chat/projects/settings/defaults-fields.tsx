import { useQuery } from '@tanstack/react-query'
import type { ProjectDetails } from '#shared/chat/projects/projects.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { availableModels } from '../../../platform/lib/models/available-models.ts'
import { modelLabel } from '../../../platform/lib/models/model-label.ts'
import { Field } from '../../../platform/ui/field.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { useAssistants } from '../../assistants/assistants.ts'
import type { ProjectDraft } from './project-draft.ts'

type DefaultsFieldsProps = {
  project: ProjectDetails
  draft: ProjectDraft
  onChange: (fields: Partial<ProjectDraft>) => void
}

/** The assistant and the model that new chats begin with. */
export function DefaultsFields({ project, draft, onChange }: DefaultsFieldsProps) {
  const { t } = useTranslation('projects')
  const { data: assistants = [] } = useAssistants()
  const { data: models = [] } = useQuery(availableModels)
  const { assistant_id, model_name } = draft
  const hidden = assistant_id !== null && !assistants.some(({ id }) => id === assistant_id)
  const hiddenName = project.assistant?.id === assistant_id ? project.assistant?.name : null
  return (
    <div className="grid grid-cols-2 gap-4 max-md:grid-cols-1">
      <Field label={t('settings.assistant')}>
        <Select
          value={assistant_id ?? ''}
          options={[
            { value: '', label: t('settings.no_assistant') },
            ...(hidden ? [{ value: assistant_id, label: hiddenName ?? t('settings.hidden_assistant') }] : []),
            ...assistants.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onValueChange={(value) => onChange({ assistant_id: value || null })}
        />
      </Field>
      <Field label={t('settings.model')}>
        <Select
          value={model_name ?? ''}
          options={[
            { value: '', label: t('settings.usual_model') },
            ...(model_name !== null && !models.some(({ id }) => id === model_name)
              ? [{ value: model_name, label: modelLabel(model_name, t) }]
              : []),
            ...models.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onValueChange={(value) => onChange({ model_name: value || null })}
        />
      </Field>
    </div>
  )
}
