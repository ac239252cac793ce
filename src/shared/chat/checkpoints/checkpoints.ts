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
  /** Name given by a person, or null. */
  label: z.nullable(z.string()),
  /** The reply in progress at the checkpoint, and its run. */
  message_id: Id,
  run_id: Id,
  kind: z.string(),
  created_at: z.string(),
  /** True when it lies on the active branch. */
  is_active: z.boolean(),
  /** Cost of the run up to the checkpoint, in dollars. */
  cost: z.number(),
  /** The open question, when the run waits at this checkpoint. */
  prompt: z.optional(z.string()),
  input_types: z.optional(z.array(z.string())),
})
export type Checkpoint = z.infer<typeof Checkpoint>

const SessionParams = z.object({ sessionId: Id })

/** Lists the newest `limit` checkpoints of all branches, the newest last; `named` restricts it to those named by a person. */
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

/** Resumes the paused run from its latest checkpoint, or continues from an older one as a new branch. */
export const resumeRun = route({
  method: 'POST',
  path: '/sessions/:sessionId/resume',
  afterTerms: true,
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
      /** Checkpoint name of the paused run, or a checkpoint id; absent: the latest. */
      checkpoint: z.nullish(text(0, 500)),
      agent_type: z.nullish(AgentType),
    }),
    {},
  ),
  answer: TaskNotice,
})

export const MAX_CHECKPOINT_LABEL = 80

export const renameCheckpoint = route({
  method: 'PATCH',
  path: '/checkpoints/:checkpointId',
  access: 'user',
  may: 'write checkpoint',
  summary: 'Name a checkpoint; an empty label takes the name away',
  params: z.object({ checkpointId: CheckpointId }),
  body: z.object({ label: z.nullable(label(0, MAX_CHECKPOINT_LABEL)) }),
  answer: Checkpoint,
})

/** Totals of a run at a checkpoint. */
export const CheckpointNumbers = z.object({
  /** Milliseconds of work, without waits and pauses. */
  time_ms: z.number(),
  tokens: z.int(),
  /** Dollars. */
  cost: z.number(),
  /** Finished steps. */
  steps: z.int(),
  tool_calls: z.int(),
  /** Messages of the branch, up to and including the reply. */
  messages: z.int(),
  /** Facts of the belief in force. */
  facts: z.int(),
  open_questions: z.int(),
})
export type CheckpointNumbers = z.infer<typeof CheckpointNumbers>

const Side = z.object({ checkpoint: Checkpoint, numbers: CheckpointNumbers })

export const LineChange = z.object({ kind: z.enum(['same', 'added', 'removed']), text: z.string() })
export type LineChange = z.infer<typeof LineChange>

export const BlockChange = z.object({ kind: z.enum(['added', 'removed', 'changed']), block: Block })
export type BlockChange = z.infer<typeof BlockChange>

/** A sentence that only one of two beliefs contains. */
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
    /** Blocks other than text, in the order of B; blocks only in A keep their position. */
    blocks: z.array(BlockChange),
    /** Differences of the beliefs in force. Before the end of a run, the belief from before the run applies. */
    belief: z.array(BeliefChange),
    /** Lines of the text. */
    text: z.array(LineChange),
    /** True when only the beginning of a long text was compared. */
    is_text_cut: z.boolean(),
  }),
})
export type Comparison = z.infer<NonNullable<typeof compareCheckpoints.answer>>
