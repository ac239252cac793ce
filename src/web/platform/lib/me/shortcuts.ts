import type { User } from '#shared/identity/accounts/accounts.ts'
import {
  keysOfAction,
  type ShortcutAction,
  type ShortcutPlace,
  shortcutTable,
} from '#shared/platform/shortcut-table.ts'
import { queryClient } from '../api/query-client.ts'
import { meQuery, useMe } from './me.ts'

type Press = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** Other keys of some actions, as long as a person has not changed them. */
const alsoKeys: Partial<Record<ShortcutAction, string>> = { remove: 'backspace', zoom_in: '=' }

export const isApple = /mac|iphone|ipad/i.test(navigator.userAgent)

/** Returns the keys of an action, with the person's change as last read. */
export function keysOf(action: ShortcutAction): string {
  return keysOfAction(action, queryClient.getQueryData<User>(meQuery.queryKey)?.shortcuts ?? {})
}

/** Returns the keys of actions and follows their changes. */
export function useKeysOf(): (action: ShortcutAction) => string {
  const changes = useMe()?.shortcuts ?? {}
  return (action) => keysOfAction(action, changes)
}

/**
 * Returns the keys of a press as they are stored, or null for a modifier alone. Letters of other scripts are read by their place on the
 * keyboard. Shift only counts with letters and named keys, because signs need it on some keyboards and not on others.
 */
export function readKeys({ key, code, ctrlKey, metaKey, altKey, shiftKey }: Press): string | null {
  if (['Control', 'Meta', 'Alt', 'Shift', 'AltGraph', 'CapsLock', 'Unidentified', 'Process'].includes(key))
    return null
  const isForeign = key === 'Dead' || altKey || (/^\p{L}$/u.test(key) && !/^\p{Script=Latin}$/u.test(key))
  const placed = isForeign ? /^(?:Key|Digit)(\w)$/.exec(code ?? '')?.[1] : undefined
  const name = (placed ?? (key === ' ' ? 'space' : key)).toLowerCase()
  const isSign = name.length === 1 && !/\p{L}/u.test(name)
  const modifiers = [
    (isApple ? metaKey : ctrlKey) && 'mod',
    isApple && ctrlKey && 'ctrl',
    altKey && 'alt',
    shiftKey && !isSign && 'shift',
  ]
  return [...modifiers.filter(Boolean), name].join('+')
}

/** Returns whether a press has the keys of an action. */
export function isShortcut(event: Press, action: ShortcutAction): boolean {
  const keys = readKeys(event)
  if (keys === null || (!isApple && event.metaKey)) return false
  const own = keysOf(action)
  return keys === own || (keys === alsoKeys[action] && own === keysOfAction(action, {}))
}

/** Returns the action of a place that a press has the keys of; null without one. */
export function actionOf<Place extends ShortcutPlace>(
  event: Press,
  place: Place,
): keyof (typeof shortcutTable)[Place] | null {
  const actions = Object.keys(shortcutTable[place]) as (keyof (typeof shortcutTable)[Place] &
    ShortcutAction)[]
  return actions.find((action) => isShortcut(event, action)) ?? null
}
