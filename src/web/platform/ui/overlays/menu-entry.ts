import type { ReactNode } from 'react'

/** An entry of a menu: an action, a heading, or a separator. */
export type MenuEntry =
  | {
      kind?: 'item'
      key?: string
      label: ReactNode
      icon?: ReactNode
      /** Shown at the right end: keys, a value. */
      end?: ReactNode
      tone?: 'danger'
      disabled?: boolean
      /** Shows a tick for the current choice. */
      checked?: boolean
      /** Opens an address instead of running an action. */
      href?: string
      onSelect?: () => void
    }
  | { kind: 'heading'; label: ReactNode }
  | { kind: 'separator' }

/** The entries of a menu, or what loads them when it opens. */
export type MenuEntries = MenuEntry[] | (() => Promise<MenuEntry[]>)
