import { Undo2, X } from 'lucide-react'
import type { ConnectionKey, ModelConnection } from '#shared/models/connections/connections.ts'
import { formatTime } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Badge } from '../../platform/ui/badge.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { PasswordInput } from '../../platform/ui/input.tsx'
import type { ConnectionForm } from './use-connection-form.ts'

/** Keys that calls rotate through: last four characters, status, and a remove button. */
export function KeyList({ form, stored }: { form: ConnectionForm; stored: ModelConnection }) {
  const { t } = useTranslation('admin')
  const { draft, change } = form
  const toggle = (id: string) => {
    const isRemoved = draft.removedKeys.includes(id)
    const removedKeys = isRemoved ? draft.removedKeys.filter((one) => one !== id) : [...draft.removedKeys, id]
    change({ ...draft, removedKeys })
  }
  return (
    <div className="grid gap-2">
      <h3 className="text-13 font-medium">{t('models.keys.title', { count: stored.keys.length })}</h3>
      <ul className="grid gap-1" aria-label={t('models.keys.list')}>
        {stored.keys.map((key) => (
          <KeyItem
            key={key.id}
            stored={key}
            isRemoved={draft.removedKeys.includes(key.id)}
            onToggle={() => toggle(key.id)}
          />
        ))}
      </ul>
      <Field label={t('models.keys.add')} optional hint={t('models.keys.hint')}>
        <PasswordInput
          autoComplete="off"
          value={draft.newKey}
          onChange={({ target }) => change({ ...draft, newKey: target.value })}
        />
      </Field>
    </div>
  )
}

function KeyItem({
  stored: { hint, state, until },
  isRemoved,
  onToggle,
}: {
  stored: ConnectionKey
  isRemoved: boolean
  onToggle: () => void
}) {
  const { t } = useTranslation('admin')
  const time = until === null ? '' : formatTime(new Date(until))
  const words = isRemoved ? t('models.keys.removed') : t(`models.keys.state.${state}`, { time })
  return (
    <li className="flex min-h-8 items-center gap-2 text-13">
      <span className="whitespace-nowrap font-mono text-12 text-ink-2">•••• {hint}</span>
      <Badge tone={isRemoved || state === 'working' ? 'line' : 'warning'}>{words}</Badge>
      <span className="flex-1" />
      <IconButton
        size="sm"
        name={t(isRemoved ? 'models.keys.keep' : 'models.keys.remove', { hint: hint ?? '••••' })}
        onClick={onToggle}
      >
        {isRemoved ? <Undo2 aria-hidden className="icon" /> : <X aria-hidden className="icon" />}
      </IconButton>
    </li>
  )
}
