import type { Platform } from '../platform.ts'
import type { Tools } from '../tools/tools.ts'

/** What every agent is handed beside its run. */
export type AgentKit = Pick<Platform, 'db' | 'models' | 'log' | 'clock' | 'config' | 'outbound'> & {
  tools: Tools
}
