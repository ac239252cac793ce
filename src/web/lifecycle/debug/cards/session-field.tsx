import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Field } from '../../../platform/ui/field.tsx'
import { Input } from '../../../platform/ui/input.tsx'
import { EXAMPLE_ID, findIdTrouble } from '../events/session-id.ts'
import type { ChangeSettings, DebugSettings } from '../events/settings.ts'

type SessionFieldProps = {
  settings: DebugSettings
  change: ChangeSettings
  /** Whether the last action required a session, so that an empty field is an error. */
  isNeeded: boolean
  /** Error of the server about the session. */
  error?: string | null
}

/** Session id used by both tabs. Validates while the user types. */
export function SessionField({ settings, change, isNeeded, error = null }: SessionFieldProps) {
  const { t } = useTranslation('admin')
  const trouble = findIdTrouble(settings.sessionId)
  const words =
    trouble === 'invalid'
      ? t('debug.invalid_id', { hash: EXAMPLE_ID })
      : trouble === 'empty' && isNeeded
        ? t('debug.empty_id')
        : trouble === null
          ? error
          : null
  return (
    <Field label={t('debug.session_id')} error={words && <span role="alert">{words}</span>}>
      <Input
        value={settings.sessionId}
        onChange={({ target }) => change({ sessionId: target.value })}
        placeholder={EXAMPLE_ID}
        autoComplete="off"
        spellCheck={false}
        className="font-mono md:text-12!"
      />
    </Field>
  )
}
