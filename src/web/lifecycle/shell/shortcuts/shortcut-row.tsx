import { RotateCcw } from 'lucide-react'
import { Fragment, useEffect, useRef } from 'react'
import { keysOfAction, type ShortcutAction, type ShortcutChanges } from '#shared/platform/shortcut-table.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { isComposing } from '../../../platform/lib/enter-key.ts'
import { readKeys } from '../../../platform/lib/me/shortcuts.ts'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { Kbd, partsOf, shortcutLabel } from '../../../platform/ui/kbd.tsx'
import type { KeyProblem } from './use-change-keys.ts'

type ShortcutRowProps = {
  action: ShortcutAction
  changes: ShortcutChanges
  /** True while the next keys are recorded for this action. */
  isRecording: boolean
  problem: KeyProblem | null
  onRecord: (isOn: boolean) => void
  /** Null restores the default. */
  onKeys: (keys: string | null) => void
}

/** One action with its keys. The keys are a button: after it the next keys that are pressed become those of the action. */
export function ShortcutRow({ action, changes, isRecording, problem, onRecord, onKeys }: ShortcutRowProps) {
  const { t } = useTranslation('shortcuts')
  const keys = keysOfAction(action, changes)
  const name = t(`actions.${action}`)
  const spoken = partsOf(keys).map((key) => t(`keys.${key}`, { defaultValue: shortcutLabel(key) }))
  useRecording(isRecording, onRecord, onKeys)
  return (
    <li className="border-b border-line text-13 last:border-0">
      <div className="flex min-h-9 items-center gap-1.5 max-md:min-h-11">
        <span className="min-w-0 flex-1">{name}</span>
        {action in changes && (
          <IconButton size="xs" name={t('reset', { action: name })} onClick={() => onKeys(null)}>
            <RotateCcw aria-hidden className="icon-14" />
          </IconButton>
        )}
        <button
          type="button"
          aria-label={
            isRecording
              ? t('press_for', { action: name })
              : t('change', { action: name, keys: spoken.join(' ') })
          }
          aria-pressed={isRecording}
          data-tip={isRecording ? undefined : t('change_tip')}
          onClick={() => onRecord(!isRecording)}
          onBlur={() => isRecording && onRecord(false)}
          className="flex min-h-7 items-center gap-[3px] rounded-control px-1.5 hover-motion hover:bg-surface-2 aria-pressed:bg-accent-soft aria-pressed:text-accent max-md:min-h-11"
        >
          {isRecording
            ? t('press')
            : spoken.map((key) => (
                <Fragment key={key}>
                  <Kbd>{key}</Kbd>{' '}
                </Fragment>
              ))}
        </button>
      </div>
      {problem && (
        <p role="alert" className="pb-2 text-12 text-danger">
          {problem.reason === 'conflict'
            ? t('conflict', { keys: shortcutLabel(problem.keys), action: t(`actions.${problem.other}`) })
            : t(`refused.${problem.reason}`, { keys: shortcutLabel(problem.keys) })}
        </p>
      )}
    </li>
  )
}

/** Reads the next keys before the dialog and the page do. Escape leaves without a change. */
function useRecording(
  isRecording: boolean,
  onRecord: (isOn: boolean) => void,
  onKeys: (keys: string) => void,
): void {
  const latest = useRef({ onRecord, onKeys })
  latest.current = { onRecord, onKeys }
  useEffect(() => {
    if (!isRecording) return
    const onKey = (event: KeyboardEvent) => {
      // Tab goes to the next shortcut.
      if (isComposing(event) || event.key === 'Tab') return
      event.preventDefault()
      event.stopImmediatePropagation()
      const keys = readKeys(event)
      if (keys === 'escape') latest.current.onRecord(false)
      else if (keys !== null && !event.repeat) latest.current.onKeys(keys)
    }
    window.addEventListener('keydown', onKey, true)
    return () => window.removeEventListener('keydown', onKey, true)
  }, [isRecording])
}
