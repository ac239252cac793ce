/** Places where shortcuts act. Those of `everywhere` also act in the others. */
export const shortcutPlaces = ['everywhere', 'chat', 'history', 'inbox', 'branches', 'viewer'] as const
export type ShortcutPlace = (typeof shortcutPlaces)[number]

/**
 * Default keys of every action, by place. Keys are `+`-joined: `mod` (⌘ on Apple keyboards, Ctrl elsewhere), `ctrl`, `alt`, `shift`, then the key
 * as it is printed or named in `KeyboardEvent.key`, in lower case.
 */
export const shortcutTable = {
  everywhere: {
    palette: 'mod+k',
    search: 'mod+shift+f',
    new_chat: 'mod+shift+o',
    sidebar: 'mod+b',
    sheet: '?',
  },
  chat: { send: 'enter', new_line: 'shift+enter', stop: 'escape', record: 'mod+shift+m' },
  history: {
    ...{ next_chat: 'arrowdown', previous_chat: 'arrowup', first_chat: 'home', last_chat: 'end' },
    ...{ pin_up: 'alt+arrowup', pin_down: 'alt+arrowdown', rename: 'f2', remove: 'delete' },
    ...{ select_all: 'mod+a', leave_selection: 'escape' },
  },
  inbox: {
    ...{ next_request: 'j', previous_request: 'k', open_request: 'enter' },
    ...{ approve: 'a', decline: 'd', leave_request: 'escape' },
  },
  branches: {
    ...{
      branch_up: 'arrowup',
      branch_down: 'arrowdown',
      branch_before: 'arrowleft',
      branch_after: 'arrowright',
    },
    ...{ branch_start: 'home', branch_end: 'end', open_message: 'enter' },
  },
  viewer: {
    ...{ previous_page: 'arrowleft', next_page: 'arrowright', view_up: 'arrowup', view_down: 'arrowdown' },
    ...{ zoom_in: '+', zoom_out: '-', zoom_fit: '0' },
  },
} as const satisfies Record<ShortcutPlace, Record<string, string>>

type Table = typeof shortcutTable
export type ShortcutAction = { [Place in ShortcutPlace]: keyof Table[Place] }[ShortcutPlace]
/** Keys that a person changed, by action. */
export type ShortcutChanges = Partial<Record<ShortcutAction, string>>

/** Default keys by action. */
export const defaultKeys: Record<ShortcutAction, string> = Object.assign({}, ...Object.values(shortcutTable))

/** Returns the keys of an action. */
export function keysOfAction(action: ShortcutAction, changes: ShortcutChanges): string {
  return changes[action] ?? defaultKeys[action]
}
