import {
  keysOfAction,
  type ShortcutAction,
  type ShortcutChanges,
  type ShortcutPlace,
  shortcutTable,
} from './shortcut-table.ts'

/** Reason why an action cannot have these keys. */
export type ShortcutRefusal = 'malformed' | 'browser' | 'editing' | 'typing' | 'page'

/** Longest keys of a shortcut in characters. */
export const MAX_SHORTCUT = 40

const wellFormed = /^(mod\+)?(ctrl\+)?(alt\+)?(shift\+)?([^\s\p{Lu}]|[a-z][a-z0-9]+)$/u
/** Browsers and systems handle these themselves, so that a page never gets them or breaks what people expect. */
const ofBrowser = new Set([
  ...['n', 't', 'w', 'q', 'r', 'l', 'h', 'tab', 'pageup', 'pagedown', 'space'].map((key) => `mod+${key}`),
  ...['n', 't', 'w', 'q', 'r', 'i', 'j', 'c', 'tab', 'delete'].map((key) => `mod+shift+${key}`),
  ...['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', '+', '-', '='].map((key) => `mod+${key}`),
  ...['alt+f4', 'alt+arrowleft', 'alt+arrowright', 'alt+home', 'alt+tab', 'alt+space', 'mod+alt+delete'],
  ...['f1', 'f3', 'f5', 'f6', 'f7', 'f11', 'f12', 'mod+f5', 'shift+f10', 'contextmenu'],
  ...['mod+p', 'mod+s', 'mod+f', 'mod+d'],
])
/** Text fields need these. */
const ofFields = new Set([
  ...['a', 'c', 'v', 'x', 'y', 'z'].map((key) => `mod+${key}`),
  ...['mod+shift+z', 'mod+shift+v', 'mod+backspace', 'mod+arrowleft', 'mod+arrowright'],
])
/** Keys that keyboard users need to move through a page. */
const ofPage = /^(shift\+)?(tab|space)$/
const ofPageEverywhere =
  /^(shift\+)?(tab|space|enter|escape|backspace|delete|home|end|page(up|down)|arrow\w+)$/

/** Returns why an action cannot have these keys; null when it can. Default keys are always allowed. */
export function refuseKeys(action: ShortcutAction, keys: string): ShortcutRefusal | null {
  if (keys === keysOfAction(action, {})) return null
  if (keys.length > MAX_SHORTCUT || !wellFormed.test(keys)) return 'malformed'
  if (ofBrowser.has(keys)) return 'browser'
  const place = placeOf(action)
  // A list that has the focus has no text to edit.
  if (ofFields.has(keys) && (place === 'everywhere' || place === 'chat')) return 'editing'
  if (ofPage.test(keys) || (place === 'everywhere' && ofPageEverywhere.test(keys))) return 'page'
  // In the composer, letters type text.
  if (place === 'chat' && /^(shift\+)?.$/u.test(keys)) return 'typing'
  return null
}

/** Returns the other action that has these keys where this action acts; null without one. */
export function findConflict(
  action: ShortcutAction,
  keys: string,
  changes: ShortcutChanges,
): ShortcutAction | null {
  const place = placeOf(action)
  for (const [other, actions] of Object.entries(shortcutTable)) {
    const meets = other === place || other === 'everywhere' || place === 'everywhere'
    if (!meets) continue
    for (const name of Object.keys(actions) as ShortcutAction[])
      if (name !== action && keysOfAction(name, changes) === keys) return name
  }
  return null
}

/** Returns the place where an action acts. */
export function placeOf(action: ShortcutAction): ShortcutPlace {
  const found = Object.entries(shortcutTable).find(([, actions]) => action in actions)
  return (found?.[0] ?? 'everywhere') as ShortcutPlace
}
