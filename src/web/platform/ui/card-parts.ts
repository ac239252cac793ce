import type { LucideIcon } from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'
import type { ToolEvent } from '#shared/runs/runs/blocks.ts'
import type { TFunction } from '../i18n/i18n.ts'
import type { CardStatus } from '../lib/card-status.ts'

export { formatCost, formatDate, formatMoney, formatNumber } from '../i18n/format.ts'
export type { TFunction } from '../i18n/i18n.ts'
export { useTranslation } from '../i18n/i18n.ts'
export { troubleText } from '../i18n/trouble-text.ts'

/** What the body of a tool's card is drawn from: one execution, as far as it is. */
export type CardBodyProps = {
  status: Exclude<CardStatus, 'waiting' | 'error'>
  input: unknown
  result: unknown
  events: readonly ToolEvent[]
  /** Changes inputs before a run, where what shows the card lets a person. */
  onInput?: (changed: Record<string, string>) => void
  /** Draws the field of an input where `onInput` is, for what a card cannot draw itself: the choice of documents. */
  field?: (name: string) => ReactNode
}

/** The one thing a failed call offers. */
export type Remedy = 'edit' | 'retry'

/**
 * What a `card.tsx` exports by default. The host draws the frame: head, state, errors; its texts stand in the
 * namespace `tool_ui` under the tool's id.
 */
export type ToolCardParts = {
  Icon: LucideIcon
  /** The inputs in one line. */
  summarise: (input: unknown) => string
  /** An error in the person's language; null: as the tool said it. `t` knows `tool_ui`. */
  explain?: (error: string, input: unknown, t: TFunction) => string | null
  /** What helps after an error: other inputs, or the same once more (without it). */
  remedy?: (error: string, input: unknown) => Remedy
  Body: ComponentType<CardBodyProps>
  /** Inputs its body lets a person change: no field is drawn for them beside it. */
  edits?: readonly string[]
  /** Its body puts the questions of a call itself. */
  asks?: true
  /** What is shown before there is any input. */
  Empty?: ComponentType
  /** Above an error: what came to nothing. */
  failure?: (t: TFunction) => string
  /** A result that says itself that not everything was done: it is shown with the badge of an error. */
  hasFailed?: (result: unknown) => boolean
}
