import type * as z from 'zod/mini'
import type { CorpusPort } from '../../knowledge/corpus/corpus-port.ts'
import type { DocumentPort } from '../../knowledge/rag/document-port.ts'
import type { WebPort } from '../../knowledge/web-search/web-port.ts'
import type { OutboundAnswer, OutboundRequest } from '../../platform/outbound.ts'
import type { OutwardPlaces, Sending } from '../../platform/outward.ts'
import type { InputField } from '../../runs/runs/request.ts'
import type { ToolUi } from '../tool-interfaces/tool-interfaces.ts'
import type { CodePort, ModelPort } from './code-port.ts'
import type { ImagePort } from './image-port.ts'
import type { ToolPolicy } from './policy.ts'
import type { ToolNeed } from './tool-facts.ts'

type Schema = z.core.$ZodType

/** A tool as data: what it is called, what goes in and out, and how it may be run. */
export type ToolContract<Input extends Schema = Schema, Output extends Schema = Schema> = {
  /** The folder's name; what models and `tool_choice` call it. */
  id: string
  name: string
  /** An icon of the set (lucide.dev). */
  icon?: string
  /** Tells a model when to use it. */
  description: string
  input: Input
  output: Output
  /** Results as they may look, shown as examples. */
  examples?: z.core.output<Output>[]
  /** False when running it a second time would do harm: an interrupted call then asks a person. */
  repeatable: boolean
  /** When it runs unless somebody decided otherwise; `auto` without it. */
  policy?: ToolPolicy
  /** Seconds after which a run is given up; the time a person takes to answer does not count. */
  limitSeconds: number
  /** It works in steps (`context.step`) and may ask; without it a call is one step. */
  durable?: boolean
  /** An interface of its own that is loaded from elsewhere, in place of a card of this product. */
  ui?: ToolUi
  /** What a use of it is charged by; without it nobody here knows what it costs. */
  takes?: 'nothing' | 'model' | 'image_model'
  /** It can only be used where this is there. */
  needs?: ToolNeed
  /** Names of settings (docs/OPERATIONS.md) it is handed. */
  settings?: readonly string[]
  /** Its result follows from its arguments alone: it brings no text of others. */
  isPure?: true
  /** What a call sends to hosts outside; a tool without it sends nothing there. */
  sends?(input: z.core.output<Input>, places: OutwardPlaces): Sending
  /**
   * Whether a message asks for exactly this call, so that nothing but what the person wished for leaves. `isChosen`: they
   * chose the tool for the message.
   */
  isAskedFor?(input: z.core.output<Input>, message: string, isChosen: boolean): boolean
}

/** Declares a tool; exists so that its schemas are inferred. */
export function tool<Input extends Schema, Output extends Schema>(
  contract: ToolContract<Input, Output>,
): ToolContract<Input, Output> {
  return contract
}

/** What a tool asks a person; see `docs/ARCHITECTURE.md`. */
export type ToolQuestion = {
  prompt: string
  /** What the answer may be: `text`, `json`, `boolean`, `document`. */
  input_types: string[]
  /** Several things to be answered at once; the answer is then of the type `composite`. */
  fields?: InputField[]
  /** Seconds after which no answer counts. */
  seconds?: number
  /** The person may skip it; the answer is then of the type `skipped`. */
  skippable?: boolean
}

/** What a tool is handed while it runs. */
export type ToolContext = {
  /** The same when the call is run again after a loss: hand it on where others can tell repeats by it. */
  executionId: string
  /** Aborted when the run is stopped or the tool's time is over. */
  signal: AbortSignal
  language: 'en' | 'fr'
  /** The settings its contract names, as the administrator has them. */
  settings: Readonly<Record<string, string>>
  /** Shows a phase on the card when it begins, changes or ends. */
  phase: (name: string, status: string, data?: Record<string, unknown>) => void
  /** Shows more text of a result that is still growing. */
  partial: (content: string) => void
  /** Shows an image that is being made, as far as it is; a later one of the same index takes its place. */
  partialImage: (index: number, url: string) => void
  /**
   * Fetches an address of the public internet; private ones are refused, except those of its settings.
   * @throws AppError
   */
  fetch: (url: string, request?: OutboundRequest) => Promise<OutboundAnswer>
  /** Answers from documents of the person. What it asks of a model is paid for with the step it is used in. */
  documents: DocumentPort
  /** Reads documents, or a text, from beginning to end; see `readAll`. */
  corpus: CorpusPort
  /** Searches the web and answers from its pages; what it asks of a model is paid for with the step it is used in. */
  web: WebPort
  /** Asks the model of the chat. */
  model: ModelPort
  /** Runs programs in a box. */
  code: CodePort
  /** Makes images. */
  images: ImagePort
  /**
   * Durable tools only: runs `work` once and records what it gives; after a loss the record is read. What is no
   * step must be the same every time. `repeatable: false`: an interrupted step asks before it is made again.
   */
  step: <T>(key: string, work: () => Promise<T>, options?: { repeatable?: boolean }) => Promise<T>
  /** Durable tools only: waits for a person; nothing is held meanwhile. @throws AppError `no_answer` */
  ask: (name: string, question: ToolQuestion) => Promise<{ input: unknown; input_type: string }>
}

/**
 * The work of a tool: takes parsed input, gives output of the contract. What it throws as `AppError` is told
 * to the model and the person; anything else counts as a fault of the tool.
 */
export type ToolRun<Contract extends ToolContract> = (
  input: z.core.output<Contract['input']>,
  context: ToolContext,
) => Promise<z.core.input<Contract['output']>>
