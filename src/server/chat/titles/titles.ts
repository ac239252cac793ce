import type { Server } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { jobName, nameChat, requestTitle } from './name-chat.ts'

/** Generates chat titles after the first reply. */
export function serveTitles(_server: Server, deps: Deps): void {
  deps.engine.onEnd.push(requestTitle(deps))
  deps.jobs.register(jobName, ({ run_id }, signal) => nameChat(deps, String(run_id), signal))
}
