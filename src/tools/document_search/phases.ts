import { type PhaseStatus, RagPhase } from '#shared/knowledge/rag/rag.ts'
import type { ToolEvent } from '#shared/runs/runs/blocks.ts'
import { readPhasesOf } from '#shared/tools/tools/read-phases.ts'

export type Phases = Record<RagPhase, PhaseStatus>

/** Returns the phases of a search. */
export const readPhases = (events: readonly ToolEvent[], isOver: boolean): Phases =>
  readPhasesOf(RagPhase.options, events, isOver)
