import type { RunDeps } from '../runs/run-deps.ts'
import type { Tools } from './tools/tools.ts'

/** Dependencies of features of this and higher domains. */
export type Deps = RunDeps & { tools: Tools }
