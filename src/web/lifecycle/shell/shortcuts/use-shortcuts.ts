import { useEffect, useRef } from 'react'
import type { shortcutTable } from '#shared/platform/shortcut-table.ts'
import { isComposing } from '../../../platform/lib/enter-key.ts'
import { actionOf, keysOf } from '../../../platform/lib/me/shortcuts.ts'

type Actions = Record<keyof (typeof shortcutTable)['everywhere'], () => void>

/** Runs the shortcuts of every place. Disabled while a dialog is open; keys that type text are text in fields. */
export function useShortcuts(actions: Actions): void {
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isComposing(event) || event.repeat) return
      const action = actionOf(event, 'everywhere')
      if (!action || (isWriting(event) && isText(keysOf(action)))) return
      if (document.querySelector('[role="dialog"][data-open], [role="alertdialog"][data-open]')) return
      event.preventDefault()
      latest.current[action]()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}

/** Keys without a modifier type something, apart from function keys. Alt types signs on some keyboards. */
const isText = (keys: string) => !/^(mod|ctrl)\+|(^|\+)f\d+$/.test(keys)

function isWriting({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null
}
