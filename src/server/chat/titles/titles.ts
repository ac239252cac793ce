import type { Server } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { jobName, nameChat } from './name-chat.ts'

export { nameChat, namesChats, requestTitle, TITLE_RULE } from './name-chat.ts'
export { readTitle } from './read-title.ts'
export { giveTitle } from './store.ts'

/** A waiting job holds its place until the model is idle, so titles have places of their own. */
const PLACES = 8

/** Generates chat titles after the first reply, where the working memory is not asked for with the title. */
export function serveTitles(_server: Server, deps: Deps): void {
  deps.jobs.register(jobName, ({ run_id }, signal) => nameChat(deps, String(run_id), signal), {
    places: PLACES,
  })
}
