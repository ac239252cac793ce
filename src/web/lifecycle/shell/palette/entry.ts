import type { ReactNode } from 'react'
import type { PaletteKind } from '#shared/chat/palette/palette.ts'

export const groups = [
  'recent',
  'session',
  'document',
  'workspace',
  'assistant',
  'prompt',
  'page',
  'setting',
  'action',
  'message',
] as const
export type PaletteGroup = (typeof groups)[number]

/** One line of the palette. */
export type PaletteEntry = {
  /** Unique in the palette. */
  id: string
  group: PaletteGroup
  title: string
  /** Additional search words. */
  words?: string
  detail?: string | null
  icon: ReactNode
  /** Keys that do the same. */
  keys?: ReactNode
  /** Address to open. Entries without one call `run`. */
  href?: string
  run?: () => void
  /** The palette stays open. */
  staysOpen?: boolean
  /** The thing behind an entry of the server. */
  item?: { kind: PaletteKind; id: string }
  /** Time of its last use, from the server. */
  usedAt?: string
}

/** Entries of one group in their order. */
export type EntryGroup = { group: PaletteGroup; entries: PaletteEntry[] }
