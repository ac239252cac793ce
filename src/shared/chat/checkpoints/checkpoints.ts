import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, label, queryInt, text } from '../../platform/primitives.ts'
import { AgentType } from '../../runs/runs/agent-type.ts'
import { Block } from '../../runs/runs/blocks.ts'
import { beliefParts } from '../beliefs/beliefs.ts'

/** `{run id}:{key of the record}`. */
const CheckpointId = text(1, 400)

/** A named position of a run's journal that a person can return to. */
export const Checkpoint = z.object({
  id: CheckpointId,
  checkpoint_name: z.string(),
  /** What a person called it, or null. */
  label: z.nullable(z.string()),
  /** The reply that was being written there, and the run that wrote it. */
  message_id: Id,
  run_id: Id,
  kind: z.string(),
  created_at: z.string(),
  /** Whether it lies on the active branch. */
  is_active: z.boolean(),
  /** What the run had cost by then, in dollars. */
  cost: z.number(),
  /** What is asked there, when the run waits with a question. */
  prompt: z.optional(z.string()),
  input_types: z.optional(z.array(z.string())),
})
export type Checkpoint = z.infer<typeof Checkpoint>

const SessionParams = z.object({ sessionId: Id })

/** The newest `limit` checkpoints of all branches, the newest one last; with `named` those that a person named. */
export const listCheckpoints = route({
  method: 'GET',
  path: '/sessions/:sessionId/checkpoints',
  access: 'user',
  scope: 'chats',
  may: 'read session',
  summary: 'Checkpoints of a conversation, newest last',
  params: SessionParams,
  query: z.object({
    skip: queryInt({ min: 0, max: 100_000, fallback: 0 }),
    limit: queryInt({ min: 1, max: 1000, fallback: 200 }),
    named: z.optional(z.enum(['true', 'false'])),
  }),
  answer: z.array(Checkpoint),
})

export const TaskNotice = z.object({ status: z.string(), message: z.string() })

export const pauseRun = route({
  method: 'POST',
  path: '/sessions/:sessionId/pause',
  access: 'user',
  fails: ['conflict'],
  scope: 'chats',
  may: 'write session',
  summary: 'Let the running reply stand still at its next checkpoint',
  params: SessionParams,
  answer: TaskNotice,
})

/** Goes on with the paused run: at its latest checkpoint, or as a new branch from an older one. */
export const resumeRun = route({
  method: 'POST',
  path: '/sessions/:sessionId/resume',
  access: 'user',
  fails: [
    'conflict',
    'not_available',
    'insufficient_balance',
    'budget_used_up',
    'session_busy',
    'quota_exceeded',
  ],
  scope: 'chats',
  may: 'write session',
  summary: 'Go on with the paused reply',
  params: SessionParams,
  body: z._default(
    z.object({
      /** A name of the paused run, or a checkpoint's id; absent: the latest. */
      checkpoint: z.nullish(text(0, 500)),
      agent_type: z.nullish(AgentType),
    }),
    {},
  ),
  answer: TaskNotice,
})

export const CHECKPOINT_LABEL_MAX = 80

export const renameCheckpoint = route({
  method: 'PATCH',
  path: '/checkpoints/:checkpointId',
  access: 'user',
  may: 'write checkpoint',
  summary: 'Name a checkpoint; an empty label takes the name away',
  params: z.object({ checkpointId: CheckpointId }),
  body: z.object({ label: z.nullable(label(0, CHECKPOINT_LABEL_MAX)) }),
  answer: Checkpoint,
})

/** What a run had done by a checkpoint. */
export const CheckpointNumbers = z.object({
  /** Milliseconds it had worked; waiting and standing still do not count. */
  time_ms: z.number(),
  tokens: z.int(),
  /** In dollars. */
  cost: z.number(),
  /** Finished steps. */
  steps: z.int(),
  tool_calls: z.int(),
  /** Messages of the branch up to and with the reply. */
  messages: z.int(),
  /** Of the belief in force. */
  facts: z.int(),
  open_questions: z.int(),
})
export type CheckpointNumbers = z.infer<typeof CheckpointNumbers>

const Side = z.object({ checkpoint: Checkpoint, numbers: CheckpointNumbers })

export const LineChange = z.object({ kind: z.enum(['same', 'added', 'removed']), text: z.string() })
export type LineChange = z.infer<typeof LineChange>

export const BlockChange = z.object({ kind: z.enum(['added', 'removed', 'changed']), block: Block })
export type BlockChange = z.infer<typeof BlockChange>

/** A sentence that only one of two beliefs has. */
export const BeliefChange = z.object({
  kind: z.enum(['added', 'removed']),
  part: z.enum(beliefParts),
  text: z.string(),
})
export type BeliefChange = z.infer<typeof BeliefChange>

export const compareCheckpoints = route({
  method: 'GET',
  path: '/checkpoints/compare',
  access: 'user',
  fails: ['not_found'],
  summary: 'What differs between two checkpoints: numbers, belief, blocks, text',
  query: z.object({ a: CheckpointId, b: CheckpointId }),
  answer: z.object({
    a: Side,
    b: Side,
    /** Blocks that are no text: in the order of B, those only A has where they were. */
    blocks: z.array(BlockChange),
    /** What the beliefs in force there differ in: before the end of a run, the one from before it is. */
    belief: z.array(BeliefChange),
    /** The lines of the text. */
    text: z.array(LineChange),
    /** Whether a text is so long that only its beginning was compared. */
    is_text_cut: z.boolean(),
  }),
})
export type Comparison = z.infer<NonNullable<typeof compareCheckpoints.answer>>
