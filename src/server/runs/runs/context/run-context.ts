import type { Kysely } from 'kysely'
import type { StatedPrice } from '#shared/chat/run-prices/run-prices.ts'
import type { OutwardCalls, ReadText } from '#shared/platform/outward.ts'
import type { Language } from '#shared/platform/primitives.ts'
import type { AgentType } from '#shared/runs/runs/agent-type.ts'
import type { RunEvent, RunEventBody } from '#shared/runs/runs/events.ts'
import type { AskedTool, InputField, InputKind } from '#shared/runs/runs/request.ts'
import type { WrittenBy } from '#shared/runs/runs/view.ts'
import type { JsonSchema, ModelCall, Usage } from '../../../models/models/port.ts'
import type { Visitor } from '../../../platform/access/access.ts'
import type { Tables } from '../../../platform/db/tables.ts'

/** A tool as it was when the run started. */
export type FrozenTool = {
  id: string
  name: string
  description: string
  input_schema: JsonSchema
  /** False when a second execution would do harm; such a tool is never run again by itself. */
  repeatable: boolean
  policy: 'auto' | 'ask' | 'never'
  /** Of a tool somebody made: the one the run began with. */
  version?: number
  /** The assistant whose policy the person may change so that it asks no more; without it their own. */
  assistant?: AskedTool['assistant']
  /** Its description is somebody else's: a server's, an API's or a colleague's. */
  is_foreign?: true
  /** The MCP server it belongs to. */
  set_id?: string
}

/** An assistant as it was when the run started. */
export type FrozenAssistant = Pick<
  RunInput,
  'agent_type' | 'model_name' | 'context_tokens' | 'instructions'
> & {
  id: string
  name: string
  description: string
  temperature?: number
  tools: FrozenTool[]
  /** Its words are somebody else's. */
  is_foreign?: true
}

/** What calls that leave the house are held to. Runs that began before there was such a rule have none. */
export type OutwardRule = {
  calls: OutwardCalls
  /** Text of others that is in the context from the beginning. */
  read: ReadText[]
}

/** A call of a model as a program wants it. */
export type Completion = Omit<ModelCall, 'model' | 'language'>

/** Record 0 of every journal. Whatever an agent decides on stands here, so that a replay decides alike. */
export type RunInput = {
  session_id: string
  user_id: string
  /** The API key or embed token it was asked for with. */
  key_id?: string
  /** A visitor of an embedded assistant asks: what is read for the reply is what they may be told. */
  visitor?: Visitor['visitor']
  /** Another program asks: nobody comes back to the chat, which has no title and no working memory. */
  is_program?: true
  /** It tries a draft of an assistant: nothing of it is remembered. */
  is_try?: true
  /** What a program asks a model as it stands, for the agent that adds nothing to it. */
  completion?: Completion
  user_message_id: string
  message_id: string
  /** Of a run that goes on from another one's journal: the checkpoint a person returned to. */
  returned_to?: string
  agent_type: AgentType | 'tool' | 'completion'
  model_name: string
  context_tokens: number
  language: Language
  instructions: string | null
  /** Who answers, as it was called when the run started. */
  assistant?: WrittenBy
  /** The tool a person chose for this message, or null for the model's choice. */
  tool_choice: string | null
  tools: FrozenTool[]
  temperature?: number
  /** The chat or its assistant has documents to answer from; `beside` are the assistant's, as are `workspaces`. */
  library?: { beside: string[]; workspaces?: string[] }
  /** What was known when it began, for what sees less than the whole conversation. */
  belief?: string
  /** What a sub-run is to do; a run without it answers the message. */
  task?: string
  /** Whom the work may be divided over. */
  assistants?: FrozenAssistant[]
  outward?: OutwardRule
  limits: { model_calls: number; steps: number; seconds: number }
  /** Of a model that has a price: the dollars that were known beforehand, and the interval that was stated. */
  price?: { known: number; stated: StatedPrice | null }
  started_at: string
  /** Of a run that writes no reply but executes one tool; then `session_id` is the run's own id. */
  standalone?: {
    /** The session whose readers hear of it. */
    session_id: string | null
    /** The interface of a tool asks, and no person. */
    by_interface?: true
    /** Arguments as JSON text, for the tool of `tool_choice`. */
    input: string
  }
}

/** What one step used of a model. */
export type Bill = {
  model_name: string
  usage: Usage
  reason: string
  /** The tool that asked it. */
  tool_id?: string
  /** What an attempt cost that was lost: nobody pays for it. */
  isLost?: boolean
}

/** What the code of one step is handed. */
export type Leaf = {
  key: string
  attempt: number
  signal: AbortSignal
  /** What a lost attempt of this step had sent, or null. */
  lostText: string | null
  /** Sends an event now; when the step does not commit, it never happened. */
  emit: (body: RunEventBody) => void
  /** Whether the reply has text already. */
  hasText: () => boolean
  /** The newest text of the step of the message it belongs to, as it stands in all. */
  textSoFar: () => string
  /** Sends an event once the step is committed. */
  afterwards: (body: RunEventBody) => void
  /** Writes inside the transaction that commits the step. */
  together: (write: (trx: Kysely<Tables>) => Promise<void>) => void
  /**
   * Puts aside what a model call may cost, before it is made; the commit of the step settles it.
   * @throws AppError `insufficient_balance`: then the run stands still before this step
   */
  reserve: (model_name: string, call: Pick<ModelCall, 'messages' | 'tools' | 'output'>) => Promise<void>
  /** Gives back what was put aside, for a call that is not made after all. */
  giveBack: () => Promise<void>
  /** What was decided in this step by now, also by attempts that were lost, in order. */
  decisions: () => unknown[]
  /** Commits a decision before anything follows from it: whoever takes the run over decides alike. */
  decide: (decision: object) => Promise<void>
  /** Books what the step used, together with its record. */
  bill: (bill: Bill) => void
}

export type StepOptions<T = unknown> = {
  /** False: a `started` record is committed first, and a replay that finds it alone asks a person. */
  repeatable?: boolean
  /** What the step gives when the person goes on without it; else it throws. */
  skipped?: (leaf: Leaf) => Promise<T>
  /** The call it is, for what the person is asked after an interruption. */
  tool?: AskedTool
}

export type Question = {
  prompt: string
  input_types: string[]
  /** `question` unless said otherwise. */
  kind?: InputKind
  /** What a composite answer consists of; without it one field per input type. */
  fields?: InputField[]
  /** The call that is to be approved, or that asks. */
  tool?: AskedTool
  /** ISO time after which no answer counts; null waits for ever. */
  deadline?: string | null
  /** The same in seconds from when the run comes to rest, for code that has no clock. */
  seconds?: number
  /** What counts as the answer after the deadline; without it the run ends. */
  default?: Answer
  /** The person may go on without answering; the answer is then of the type `skipped`. */
  skippable?: boolean
}
/** `by_default`: the deadline passed, and this is what the question said counts then. */
export type Answer = { input: unknown; input_type: string; by_default?: boolean }
/** What an answer's record holds when the deadline passed and the question had no default. */
export type Expired = { expired: true }

/** What an agent runs on: every line is replayed, every step is read from the record. See docs/ARCHITECTURE.md. */
export type RunContext = {
  id: string
  input: RunInput
  /** Aborted when the run is stopped, out of time, or no longer this process's. */
  signal: AbortSignal
  /** Runs `work` once and records what it gives. @throws when the key was used before, or inside a step */
  step: <T>(key: string, work: (leaf: Leaf) => Promise<T>, options?: StepOptions<T>) => Promise<T>
  /** Whether a step has its record: what leads to it need not be replayed. */
  isDone: (key: string) => boolean
  /** Whether a question stands in the journal, answered or not. */
  isAsked: (name: string) => boolean
  /** The steps that have their record, in the order of the journal, under their whole keys. */
  doneSteps: () => DoneStep[]
  /** Reads what a question depends on, outside of steps: the run is not parked meanwhile. */
  look: <T>(name: string, read: () => Promise<T>) => Promise<T>
  /** A region with its own keys; not recorded. */
  scope: <T>(key: string, work: (run: RunContext) => Promise<T>) => Promise<T>
  /**
   * Parks the run until a person has answered; no process holds it meanwhile. The position before it is named
   * after the question (`waiting_for_input…`), the one after it ends in `_with_input`.
   * @throws AppError `no_answer` when nobody answered in time and there is no default
   */
  ask: (name: string, question: Question) => Promise<Answer>
  /** Commits a named position to which people can return. */
  checkpoint: (name: string, kind?: string) => Promise<void>
  /**
   * Runs another agent as a part of this run, with a journal of its own: a replay finds it again by its key. What
   * it does shows in step `number` of this run's message. A failure of its own is an outcome, not an exception.
   */
  child: (key: string, request: ChildRequest) => Promise<ChildOutcome>
}

export type DoneStep = { key: string; events: readonly RunEvent[] }

export type ChildRequest = {
  number: number
  /** What is different from this run's own input. */
  input: Partial<RunInput> & { task: string }
}
export type ChildOutcome = { state: 'completed' | 'failed'; text: string }

/**
 * One kind of agent. A change of what it does with old records needs a new version, which new runs begin with; a run
 * goes on with the version it began with, found among the `earlier` ones.
 */
export type Agent = {
  version: number
  run: (run: RunContext) => Promise<void>
  earlier?: Readonly<Record<number, Agent['run']>>
}
