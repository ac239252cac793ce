import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Field } from '../../../platform/ui/field.tsx'
import { Input } from '../../../platform/ui/input.tsx'
import { EXAMPLE_ID, findIdTrouble } from '../events/session-id.ts'
import type { ChangeSettings, DebugSettings } from '../events/settings.ts'

type SessionFieldProps = {
  settings: DebugSettings
  change: ChangeSettings
  /** Something was asked for that needs a session: an empty field is wrong now. */
  isNeeded: boolean
  /** What the server says about the session. */
  error?: string | null
}

/** The session both tabs work on; wrong ids are said as they are typed. */
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
