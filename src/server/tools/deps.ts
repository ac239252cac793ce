import type { RunDeps } from '../runs/run-deps.ts'
import type { Tools } from './tools/tools.ts'

/** What features of this domain and above receive. */
export type Deps = RunDeps & { tools: Tools }
