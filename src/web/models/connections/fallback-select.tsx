import { useQuery } from '@tanstack/react-query'
import type { ConnectionModel } from '#shared/models/connections/connections.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { availableModels } from '../../platform/lib/models/available-models.ts'
import { Select } from '../../platform/ui/select.tsx'
import { modelName } from './model-edit.ts'
import { connectionList } from './use-connections.ts'

type FallbackSelectProps = {
  model: Pick<ConnectionModel, 'id'>
  value: string
  onValueChange: (id: string) => void
}

/** Selects the fallback model, used while this model's provider fails. */
export function FallbackSelect({ model, value, onValueChange }: FallbackSelectProps) {
  const { t } = useTranslation('admin')
  const { data = [] } = useQuery(connectionList)
  const { data: available = [] } = useQuery(availableModels)
  const others = data.flatMap(({ name, models }) =>
    models
      .filter(({ id, offered }) => id !== model.id && (offered || id === value))
      .map(({ id }) => ({ value: id, label: `${modelName(id)} · ${name}` })),
  )
  const here = available.filter(
    ({ id, provider }) =>
      provider === 'local' && id !== model.id && !others.some(({ value }) => value === id),
  )
  const local = here.map(({ id }) => ({ value: id, label: `${modelName(id)} · ${t('common:this_machine')}` }))
  return (
    <Select
      size="sm"
      className="mt-1 max-w-70"
      aria-label={t('models.fallback.label', { name: modelName(model.id) })}
      options={[{ value: '', label: t('models.fallback.none') }, ...others, ...local]}
      value={value}
      onValueChange={onValueChange}
    />
  )
}
