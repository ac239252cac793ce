import type { ReactNode } from 'react'

/** What a menu holds: something to do, a heading, a line between. */
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
      /** Shows a tick: the entry is what holds now. */
      checked?: boolean
      /** Opens an address instead of doing something. */
      href?: string
      onSelect?: () => void
    }
  | { kind: 'heading'; label: ReactNode }
  | { kind: 'separator' }
