import type * as z from 'zod/mini'
import type { CorpusPort } from '../../knowledge/corpus/corpus-port.ts'
import type { DocumentPort } from '../../knowledge/rag/document-port.ts'
import type { WebPort } from '../../knowledge/web-search/web-port.ts'
import type { OutboundAnswer, OutboundRequest } from '../../platform/outbound.ts'
import type { OutwardPlaces, Sending } from '../../platform/outward.ts'
import type { DraftKind, InputField } from '../../runs/runs/request.ts'
import type { ActionPort } from '../actions/action-port.ts'
import type { DatabasePort } from '../databases/databases.ts'
import type { ToolUi } from '../tool-interfaces/tool-interfaces.ts'
import type { CodePort, ModelPort } from './code-port.ts'
import type { ImagePort } from './image-port.ts'
import type { PagePort } from './page-port.ts'
import type { ToolPolicy } from './policy.ts'
import type { ToolNeed } from './tool-facts.ts'

type Schema = z.core.$ZodType

/** A tool as data: its name, input, output and how it may run. */
export type ToolContract<Input extends Schema = Schema, Output extends Schema = Schema> = {
  /** The folder's name; used by models and in `tool_choice`. */
  id: string
  name: string
  /** Name of an icon in the icon set (lucide.dev). */
  icon?: string
  /** Tells a model when to use it. */
  description: string
  input: Input
  output: Output
  /** Sample results. */
  examples?: z.core.output<Output>[]
  /** False when a second run could do harm; an interrupted call then asks a person. */
  repeatable: boolean
  /** Default policy; `auto` when absent. */
  policy?: ToolPolicy
  /** Timeout of a run in seconds, without the time spent waiting for a person. */
  limitSeconds: number
  /** True when it works in steps (`context.step`) and may ask; otherwise a call is one step. */
  durable?: boolean
  /** A remote interface that replaces the product's card. */
  ui?: ToolUi
  /** Basis of its price; unknown when absent. */
  takes?: 'nothing' | 'model' | 'image_model'
  /** Requirement of the tool. */
  needs?: ToolNeed
  /** Offered only to people who may use such a thing, or have connected such an account. */
  onlyWith?: ToolMeans
  /**
   * Set when a call acts outside in the name of its person. It asks by default, is shown as this kind of draft, and happens once: `run` is
   * called again after an interruption, and then only looks for what it did.
   */
  draft?: DraftKind
  /** Set when its result is a page as a picture. It is offered to models that see, in chats that answer from documents. */
  shows?: 'page'
  /** Names of the settings it receives (docs/OPERATIONS.md). */
  settings?: readonly string[]
  /** Set when the result depends only on the arguments and so contains no text by others. */
  isPure?: true
  /** Returns what a call sends to external hosts; absent when it sends nothing. */
  sends?(input: z.core.output<Input>, places: OutwardPlaces): Sending
  /**
   * Returns true when a message asks for exactly this call, so that only data the person intended is sent. `isChosen`: the person
   * selected the tool for the message.
   */
  isAskedFor?(input: z.core.output<Input>, message: string, isChosen: boolean): boolean
}

/** A thing that some tools need their person to have: a database that is open to them, or an account that they connected. */
export type ToolMeans = 'database' | 'mail' | 'calendar' | 'tickets'

/** Declares a tool and infers its schemas. */
export function tool<Input extends Schema, Output extends Schema>(
  contract: ToolContract<Input, Output>,
): ToolContract<Input, Output> {
  return contract
}

/** A question of a tool to a person; see `docs/ARCHITECTURE.md`. */
export type ToolQuestion = {
  prompt: string
  /** Accepted types of the answer: `text`, `json`, `boolean`, `document`. */
  input_types: string[]
  /** Several fields of one question; the answer then has the type `composite`. */
  fields?: InputField[]
  /** Seconds until the question expires. */
  seconds?: number
  /** True when the person may skip it; the answer then has the type `skipped`. */
  skippable?: boolean
}

/** Context of a running tool. */
export type ToolContext = {
  /** Stays the same when the call is replayed; pass it to services as an idempotency key. */
  executionId: string
  /** Aborted when the run is stopped or the tool's timeout expires. */
  signal: AbortSignal
  language: 'en' | 'fr'
  /** Values of the settings named in its contract. */
  settings: Readonly<Record<string, string>>
  /** Shows the start, progress or end of a phase on the card. */
  phase: (name: string, status: string, data?: Record<string, unknown>) => void
  /** Appends text to a growing result. */
  partial: (content: string) => void
  /** Shows a preview of an image; a later one with the same index replaces it. */
  partialImage: (index: number, url: string) => void
  /**
   * Fetches an address on the public internet. Private addresses are rejected, except those in its settings.
   * @throws AppError
   */
  fetch: (url: string, request?: OutboundRequest) => Promise<OutboundAnswer>
  /** Answers from the person's documents. Model calls are charged to the step that makes them. */
  documents: DocumentPort
  /** Reads documents or a text in full; see `readAll`. */
  corpus: CorpusPort
  /** Searches the web and answers from its pages. Model calls are charged to the step that makes them. */
  web: WebPort
  /** Calls the chat's model. */
  model: ModelPort
  /** Runs programs in a sandbox. */
  code: CodePort
  /** Makes images. */
  images: ImagePort
  /** Reads databases that the person may use. */
  databases: DatabasePort
  /** Shows pages of documents to models that see. */
  pages: PagePort
  /** Uses the mail, calendar and tickets of the person, in their name. */
  actions: ActionPort
  /**
   * Durable tools only: runs `work` once and records its result; a replay returns the record. Code outside steps must be
   * deterministic. `repeatable: false`: an interrupted step asks before it runs again.
   */
  step: <T>(key: string, work: () => Promise<T>, options?: { repeatable?: boolean }) => Promise<T>
  /** Durable tools only: waits for a person without holding resources. @throws AppError `no_answer` */
  ask: (name: string, question: ToolQuestion) => Promise<{ input: unknown; input_type: string }>
}

/**
 * The implementation of a tool: takes parsed input and returns output of the contract. An `AppError` is shown to
 * the model and the person; any other exception counts as a fault of the tool.
 */
export type ToolRun<Contract extends ToolContract> = (
  input: z.core.output<Contract['input']>,
  context: ToolContext,
) => Promise<z.core.input<Contract['output']>>
