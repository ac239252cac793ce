import type { Platform } from '../platform.ts'
import type { RagDeps } from '../rag/rag.ts'
import type { Tools } from '../tools/tools.ts'

/** What every agent is handed beside its run. */
export type AgentKit = RagDeps &
  Pick<Platform, 'outbound' | 'files' | 'sandbox' | 'parsing' | 'telemetry'> & {
    tools: Tools
  }
