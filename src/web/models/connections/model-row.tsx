import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type ConnectionModel, updateConnection } from '#shared/models/connections/connections.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { formatCount, formatPrice } from '../../platform/lib/money.ts'
import { Switch } from '../../platform/ui/checkbox.tsx'
import { type ModelChange, modelName } from './model-edit.ts'
import { ModelEditor } from './model-editor.tsx'
import { refetchConnections } from './use-connections.ts'

/** One model. Its figures are a button that opens the editor; the switch makes it available to users. */
export function ModelRow({ connectionId, model }: { connectionId: string; model: ConnectionModel }) {
  const { t, i18n } = useTranslation('admin')
  const [isEditing, setEditing] = useState(false)
  const change = useMutation({
    mutationFn: (changes: ModelChange) =>
      call(updateConnection, { params: { connectionId }, body: { models: { [model.id]: changes } } }),
    // The row shows the requested state until the list has been refetched.
    onSettled: refetchConnections,
  })
  const name = modelName(model.id)
  const isOffered = (change.isPending ? change.variables.offered : undefined) ?? model.offered
  if (isEditing)
    return (
      <ModelEditor
        model={model}
        change={change}
        onEnd={() => {
          change.reset()
          setEditing(false)
        }}
      />
    )
  const edit = (text: string, isKnown: boolean) => (
    <button
      type="button"
      className={`num rounded-tag hover:underline ${isKnown ? '' : 'text-ink-3'}`}
      aria-label={`${text}. ${t('models.edit_model', { name })}`}
      onClick={() => setEditing(true)}
    >
      {text}
    </button>
  )
  const price = (dollars: number | null) =>
    dollars === null ? edit(t('models.unpriced'), false) : edit(formatPrice(dollars, i18n.language), true)
  return (
    <tr className="border-b border-line last:border-0 [&>td]:px-3.5 [&>td]:py-2">
      <td className="lg:pl-12!">
        <span className="font-mono text-13 [overflow-wrap:anywhere]">{name}</span>
        {model.edited && <span className="ml-2 text-12 text-ink-3">{t('models.edited')}</span>}
        {model.fallback && (
          <span className="block text-12 text-ink-3">
            {t('models.fallback.is', { name: modelName(model.fallback) })}
          </span>
        )}
        {change.isError && (
          <span role="alert" className="block text-12 text-danger">
            {errorText(t, change.error)}
          </span>
        )}
      </td>
      <td className="text-right whitespace-nowrap">
        {model.context_tokens === null
          ? edit(t('models.unknown_context'), false)
          : edit(formatCount(model.context_tokens, i18n.language), true)}
      </td>
      <td className="text-right whitespace-nowrap">{price(model.input_price)}</td>
      <td className="text-right whitespace-nowrap">{price(model.output_price)}</td>
      <td className="w-19 text-right">
        <Switch
          className="align-middle"
          aria-label={t('models.offer', { name })}
          checked={isOffered}
          onCheckedChange={(offered) => change.mutate({ offered })}
        />
      </td>
    </tr>
  )
}
