import type { RagDeps } from '../../knowledge/rag/rag.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Tools } from '../../tools/tools/tools.ts'

/** Dependencies of every agent, in addition to its run. */
export type AgentKit = RagDeps &
  Pick<Platform, 'outbound' | 'files' | 'sandbox' | 'secrets' | 'parsing' | 'telemetry'> & {
    tools: Tools
  }
