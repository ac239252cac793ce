import type { LucideIcon } from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'
import type { ToolEvent } from '#shared/runs/runs/blocks.ts'
import type { TFunction } from '../i18n/i18n.ts'
import type { CardStatus } from '../lib/card-status.ts'

export { formatCost, formatDate, formatMoney, formatNumber } from '../i18n/format.ts'
export type { TFunction } from '../i18n/i18n.ts'
export { useTranslation } from '../i18n/i18n.ts'
export { troubleText } from '../i18n/trouble-text.ts'

/** Props of a tool card's body: the current state of one execution. */
export type CardBodyProps = {
  status: Exclude<CardStatus, 'waiting' | 'error'>
  input: unknown
  result: unknown
  events: readonly ToolEvent[]
  /** Changes inputs before a run, if the card's container allows it. */
  onInput?: (changed: Record<string, string>) => void
  /** Renders the field of an input if `onInput` is set, for inputs the card cannot render itself, such as documents. */
  field?: (name: string) => ReactNode
}

/** The one action offered after a failed call. */
export type Remedy = 'edit' | 'retry'

/**
 * Default export of a `card.tsx`. The host renders the frame: header, state, errors. Its texts are in the namespace
 * `tool_ui` under the tool's id.
 */
export type ToolCardParts = {
  Icon: LucideIcon
  /** Returns the inputs as one line. */
  summarise: (input: unknown) => string
  /** Returns an error in the person's language; null for the tool's own text. `t` knows `tool_ui`. */
  explain?: (error: string, input: unknown, t: TFunction) => string | null
  /** Returns what helps after an error: other inputs, or a retry (the default). */
  remedy?: (error: string, input: unknown) => Remedy
  Body: ComponentType<CardBodyProps>
  /** Inputs that its body lets a person change; no other field is shown for them. */
  edits?: readonly string[]
  /** Its body shows the questions of a call itself. */
  asks?: true
  /** Shown before there is any input. */
  Empty?: ComponentType
  /** Heading above an error. */
  failure?: (t: TFunction) => string
  /** Returns whether a result reports that it is incomplete; it is shown with an error badge. */
  hasFailed?: (result: unknown) => boolean
}
