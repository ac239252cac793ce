import type { Kysely } from 'kysely'
import type { StatedPrice } from '#shared/chat/run-prices/run-prices.ts'
import type { ChosenEffort } from '#shared/models/connections/tuning.ts'
import type { OutwardCalls, ReadText } from '#shared/platform/outward.ts'
import type { Language } from '#shared/platform/primitives.ts'
import type { AgentType } from '#shared/runs/runs/agent-type.ts'
import type { RunEvent, RunEventBody } from '#shared/runs/runs/events.ts'
import type { AskedTool, InputField, InputKind, NamedApprover } from '#shared/runs/runs/request.ts'
import type { WrittenBy } from '#shared/runs/runs/view.ts'
import type { JsonSchema, ModelCall, Usage } from '../../../models/models/port.ts'
import type { Remembered } from '../../../models/models/told-memory.ts'
import type { Visitor } from '../../../platform/access/access.ts'
import type { Tables } from '../../../platform/db/tables.ts'

/** A tool as configured when the run started. */
export type FrozenTool = {
  id: string
  name: string
  description: string
  input_schema: JsonSchema
  /** False when a second execution would do harm; such a tool is never repeated automatically. */
  repeatable: boolean
  policy: 'auto' | 'ask' | 'never'
  /** Version of an own tool at the start of the run. */
  version?: number
  /** The assistant whose tool policy the user may change. Without it their own policy applies. */
  assistant?: AskedTool['assistant']
  /** True when the description comes from a server, an API or a colleague. */
  is_foreign?: true
  /** The MCP server it belongs to. */
  set_id?: string
}

/** An assistant as configured when the run started. */
export type FrozenAssistant = Pick<
  RunInput,
  'agent_type' | 'model_name' | 'context_tokens' | 'instructions'
> & {
  id: string
  name: string
  description: string
  temperature?: number
  tools: FrozenTool[]
  /** True when its instructions come from another user. */
  is_foreign?: true
}

/** One of the models that answer the same message, as configured when the run started. */
export type ComparedModel = Pick<
  RunInput,
  'model_name' | 'context_tokens' | 'tools' | 'temperature' | 'effort' | 'max_words'
> & {
  name: string
  agent_type: 'single_turn' | 'multi_turn'
}

/** Restrictions on outbound calls. Runs that started before the rule existed have none. */
export type OutwardRule = {
  calls: OutwardCalls
  /** Third-party text in the context from the start. */
  read: ReadText[]
}

/** A model call as requested by a program. */
export type Completion = Omit<ModelCall, 'model' | 'language'>

/** Record 0 of every journal. It holds every input of an agent's decisions, so that a replay decides the same. */
/** The end of another chat, which a message names as context. */
export type QuotedChat = { title: string; text: string }

export type RunInput = {
  session_id: string
  user_id: string
  /** The API key or embed token of the request. */
  key_id?: string
  /** The visitor of an embedded assistant. The reply may only use what visitors may read. */
  visitor?: Visitor['visitor']
  /** True for requests of programs: their chat has no title and no working memory. */
  is_program?: true
  /** True when trying a draft assistant: nothing is remembered. */
  is_try?: true
  /** The unchanged model request of a program, for the agent that adds nothing to it. */
  completion?: Completion
  user_message_id: string
  message_id: string
  /** In a run that continues another journal: the checkpoint the user returned to. */
  returned_to?: string
  /** The journal comes from an archive, and record 0 says only to which reply it belongs. */
  is_imported?: boolean
  /** The journal begins with records of an archive: what a person approved there, and the budgets of that time, do not count. */
  has_archive?: true
  agent_type: AgentType | 'tool' | 'completion' | 'comparison'
  model_name: string
  context_tokens: number
  language: Language
  /** The person's time zone; absent when the request named none. */
  time_zone?: string
  instructions: string | null
  /** The project of the chat, with the version of its instructions at the start of the run. */
  project?: { id: string; name: string; instructions: string; version: number; is_by_others: boolean }
  /** The answering assistant, under its name at the start of the run. */
  assistant?: WrittenBy
  /** The tool the user chose for this message, or null to let the model choose. */
  tool_choice: string | null
  tools: FrozenTool[]
  temperature?: number
  effort?: ChosenEffort
  /** The most words of the answer. */
  max_words?: number
  /** Present when the chat or its assistant has documents. `beside` and `workspaces` are the assistant's. */
  library?: {
    beside: string[]
    workspaces?: string[]
    /** The message names them, so that only they are searched. */
    only?: true
  }
  /** Other chats that the message names as context. */
  quoted?: QuotedChat[]
  /** The working memory at the start, for agents that do not see the whole conversation. */
  belief?: string
  /** Present when the reply may use memory, and when its message asks for memory that is off. */
  memory?: {
    /** The project that the person may add facts to. */
    project_id?: string
    /** The chat had facts to use when the run started. */
    has_facts?: true
    /** The message asks what is known about the person. */
    asks_about_me?: true
    /** Facts that the message asked to remember. */
    remembered?: Remembered[]
    is_off?: true
  }
  /** The task of a sub-run. A run without it answers the message. */
  task?: string
  /** The models that answer the same message, for a comparison. */
  compared?: ComparedModel[]
  /** True for the sub-run of one of them: it reads the whole conversation. */
  is_alternative?: true
  /** Assistants the work may be delegated to. */
  assistants?: FrozenAssistant[]
  outward?: OutwardRule
  /** `cost` in dollars: above it no further model call is made. */
  limits: { model_calls: number; steps: number; seconds: number; cost?: number }
  /** For a priced model: the cost known in advance in dollars, and the stated price. */
  price?: { known: number; stated: StatedPrice | null }
  started_at: string
  /** Present for a run that executes one tool and writes no reply; `session_id` is then the run's own id. */
  standalone?: {
    /** The session whose readers receive its events. */
    session_id: string | null
    /** True when a tool's user interface made the request. */
    by_interface?: true
    /** Arguments of the tool in `tool_choice`, as JSON text. */
    input: string
  }
}

/** Model usage of one step. */
export type Bill = {
  model_name: string
  usage: Usage
  reason: string
  /** The tool that made the call. */
  tool_id?: string
  /** True for the cost of a lost attempt, which is not charged. */
  isLost?: boolean
}

/** The API available to the code of one step. */
export type Leaf = {
  key: string
  attempt: number
  signal: AbortSignal
  /** Text that a lost attempt of this step sent, or null. */
  lostText: string | null
  /** Sends an event immediately. It is void when the step does not commit. */
  emit: (body: RunEventBody) => void
  /** Returns whether the reply already has text. */
  hasText: () => boolean
  /** Returns the complete newest text of the plan step this belongs to. */
  textSoFar: () => string
  /** Sends an event after the step is committed. */
  afterwards: (body: RunEventBody) => void
  /** Adds a write to the transaction that commits the step. */
  together: (write: (trx: Kysely<Tables>) => Promise<void>) => void
  /**
   * Reserves the maximum cost of a model call. The commit of the step settles it.
   * @throws AppError `insufficient_balance`; the run then pauses before this step
   */
  reserve: (model_name: string, call: Pick<ModelCall, 'messages' | 'tools' | 'output'>) => Promise<void>
  /** Releases the reservation of a call that is not made. */
  giveBack: () => Promise<void>
  /** Returns the decisions of this step in order, including those of lost attempts. */
  decisions: () => unknown[]
  /** Commits a decision before its consequences, so that a resumed run decides the same. */
  decide: (decision: object) => Promise<void>
  /** Books usage together with the step's record. */
  bill: (bill: Bill) => void
}

export type StepOptions<T = unknown> = {
  /** False: a `started` record is committed first, and a replay that finds no result asks a person. */
  repeatable?: boolean
  /**
   * Finds out what a started step did, before a person is asked: work that records it, `not_done` when the step can run again without harm,
   * `unknown` when only a person can tell.
   */
  settle?: () => Promise<'not_done' | 'unknown' | ((leaf: Leaf) => Promise<T>)>
  /** Returns the result when the user skips the step. Without it the step throws. */
  skipped?: (leaf: Leaf) => Promise<T>
  /** The tool call to show when the user is asked about an interruption. */
  tool?: AskedTool
  /** The named approver who decides about a repetition in place of the user. The step is skipped if it is `nobody`, and at the deadline. */
  decides?: Pick<Question, 'approver' | 'seconds'> | 'nobody' | null
}

export type Question = {
  prompt: string
  input_types: string[]
  /** Default: `question`. */
  kind?: InputKind
  /** Fields of a composite answer. Default: one field per input type. */
  fields?: InputField[]
  /** The call that needs approval or asks the question. */
  tool?: AskedTool
  /** ISO time after which answers are refused; null for no deadline. */
  deadline?: string | null
  /** The deadline in seconds after the run comes to rest, for code without a clock. */
  seconds?: number
  /** The answer after the deadline. Without it the run ends. */
  default?: Answer
  /** Whether the user may skip the question; the answer then has the type `skipped`. */
  skippable?: boolean
  /** The only people who may approve the call. `deputy_seconds` after the run comes to rest, the deputy may too. */
  approver?: Omit<NamedApprover, 'deputy_from'> & { deputy_seconds: number | null }
}
/** `by_default` is set when the deadline passed and the question's default applies, `by_approver` when the question named its approver. */
export type Answer = { input: unknown; input_type: string; by_default?: boolean; by_approver?: boolean }
/** The recorded answer when the deadline passed and the question had no default. */
export type Expired = { expired: true }

/** The API of agent code. Every line is replayed; every step returns its recorded result. See docs/ARCHITECTURE.md. */
export type RunContext = {
  id: string
  input: RunInput
  /** Aborts when the run is stopped, times out or is lost by this process. */
  signal: AbortSignal
  /** Runs `work` once and records its result. @throws when the key was already used, or inside a step */
  step: <T>(key: string, work: (leaf: Leaf) => Promise<T>, options?: StepOptions<T>) => Promise<T>
  /** Returns whether a step is recorded. Code that only prepares it need not run again. */
  isDone: (key: string) => boolean
  /** Returns whether the journal contains a question, answered or not. */
  isAsked: (name: string) => boolean
  /** Returns the recorded steps in journal order, under their full keys. */
  doneSteps: () => DoneStep[]
  /** Reads data a question depends on, outside of steps. The run is not parked meanwhile. */
  look: <T>(name: string, read: () => Promise<T>) => Promise<T>
  /** Opens an unrecorded region with its own key prefix. */
  scope: <T>(key: string, work: (run: RunContext) => Promise<T>) => Promise<T>
  /**
   * Parks the run until a person answers; no process owns it meanwhile. The position before is named
   * `waiting_for_input…` after the question, the one after ends in `_with_input`.
   * @throws AppError `no_answer` when the deadline passes and there is no default
   */
  ask: (name: string, question: Question) => Promise<Answer>
  /** Commits a named position to which users can return. */
  checkpoint: (name: string, kind?: string) => Promise<void>
  /**
   * Runs another agent as a sub-run with its own journal, which a replay finds by its key. Its work appears in step `number`
   * of this run's message. A failure of the sub-run is returned as an outcome, not thrown.
   */
  child: (key: string, request: ChildRequest) => Promise<ChildOutcome>
}

export type DoneStep = { key: string; events: readonly RunEvent[] }

export type ChildRequest = {
  number: number
  /** Differences from this run's own input. */
  input: Partial<RunInput> & ({ task: string } | { is_alternative: true })
}
export type ChildOutcome = { state: 'completed' | 'failed'; text: string }

/**
 * One agent type. Changing how it handles old records requires a new version for new runs. Existing runs
 * use the version they started with, found among the `earlier` ones.
 */
export type Agent = {
  version: number
  run: (run: RunContext) => Promise<void>
  earlier?: Readonly<Record<number, Agent['run']>>
}
