import { type KeyboardEvent, useId, useState } from 'react'
import type { ConnectionModel } from '#shared/models/connections/connections.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { isComposing } from '../../platform/lib/enter-key.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Input } from '../../platform/ui/input.tsx'
import { FallbackSelect } from './fallback-select.tsx'
import {
  type ModelChange,
  type ModelField,
  modelChangeOf,
  modelDraftOf,
  modelName,
  wrongFields,
} from './model-edit.ts'

type ModelEditorProps = {
  model: ConnectionModel
  change: {
    isPending: boolean
    isError: boolean
    error: Error | null
    mutate: (change: ModelChange, then: { onSuccess: () => void }) => void
  }
  onEnd: () => void
}

const fields: ModelField[] = ['context', 'input', 'output']

/** Inline editor for context size and prices of a model. An empty price means unpriced, never 0. */
export function ModelEditor({ model, change, onEnd }: ModelEditorProps) {
  const { t } = useTranslation('admin')
  const noteId = useId()
  const [draft, setDraft] = useState(() => modelDraftOf(model))
  const wrong = wrongFields(draft)
  const name = modelName(model.id)
  const save = () => {
    if (wrong.length === 0 && !change.isPending)
      change.mutate(modelChangeOf(draft, model), { onSuccess: onEnd })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement) save()
    if (event.key === 'Escape') onEnd()
  }
  return (
    <tr
      className="border-b border-line bg-surface last:border-0 [&>td]:px-3.5 [&>td]:py-2"
      onKeyDown={onKeyDown}
    >
      <td className="lg:pl-12!">
        <span className="font-mono text-13 [overflow-wrap:anywhere]">{name}</span>
        <span id={noteId} role="alert" className="block text-12 text-danger">
          {wrong.length > 0 && t('models.number_wrong')}
          {change.isError && errorText(t, change.error)}
        </span>
        <FallbackSelect
          model={model}
          value={draft.fallback}
          onValueChange={(fallback) => setDraft({ ...draft, fallback })}
        />
      </td>
      {fields.map((field, index) => (
        <td key={field} className="text-right">
          <Input
            autoFocus={index === 1}
            inputMode="decimal"
            aria-label={t(`models.${field}_label`, { name })}
            aria-invalid={wrong.includes(field) || undefined}
            aria-describedby={noteId}
            placeholder={t(field === 'context' ? 'models.unknown_context' : 'models.unpriced')}
            className="num ml-auto w-24! text-13!"
            value={draft[field]}
            onChange={(event) => setDraft({ ...draft, [field]: event.target.value })}
          />
        </td>
      ))}
      <td className="text-right whitespace-nowrap">
        <Button variant="ghost" size="sm" onClick={onEnd}>
          {t('models.cancel')}
        </Button>
        <Button size="sm" busy={change.isPending} disabled={wrong.length > 0} onClick={save}>
          {t('models.save')}
        </Button>
      </td>
    </tr>
  )
}
