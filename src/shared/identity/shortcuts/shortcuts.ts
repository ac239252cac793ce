import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { text } from '../../platform/primitives.ts'
import { MAX_SHORTCUT } from '../../platform/shortcut-rules.ts'
import { type ShortcutAction, shortcutTable } from '../../platform/shortcut-table.ts'

const actions = Object.values(shortcutTable).flatMap((place) => Object.keys(place) as ShortcutAction[])

const Answer = z.object({
  /** Keys that differ from the default, by action. */
  shortcuts: z.record(z.string(), z.string()),
})

export const changeShortcut = route({
  method: 'PUT',
  path: '/users/me/shortcuts',
  access: 'user',
  fails: ['conflict'],
  summary:
    'Change the keys of one action; null restores the default. Refused with the name of the other action when that has the keys',
  body: z.object({
    action: z.enum(actions as [ShortcutAction, ...ShortcutAction[]]),
    /** Modifiers `mod`, `ctrl`, `alt`, `shift` in this order and the key, joined by `+`. */
    keys: z.nullable(text(1, MAX_SHORTCUT)),
  }),
  answer: Answer,
})

export const resetShortcuts = route({
  method: 'DELETE',
  path: '/users/me/shortcuts',
  access: 'user',
  summary: 'Restore the default keys of all actions',
  answer: Answer,
})
