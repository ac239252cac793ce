import { PICTURE_TOKENS } from '../../../models/models/adapting/show-pictures.ts'
import type { FilePart } from '../../../models/models/port.ts'
import type { RunContext } from '../../../runs/runs/runs.ts'
import { type AttachedPicture, loadAttached } from '../../../tools/pictures/pictures.ts'
import type { AgentKit } from '../kit.ts'
import type { PathMessage } from './store.ts'

/** Share of the window for pictures; the newest ones have precedence. */
const WINDOW_SHARE = 0.3
const BUILT_IN = 'atrium/'

/** Loads the chat's pictures for its model. The built-in model reads their text only. */
export async function loadChatPictures(run: RunContext, kit: AgentKit): Promise<AttachedPicture[]> {
  const { model_name, library, context_tokens } = run.input
  if (!library || model_name.startsWith(BUILT_IN)) return []
  const most = Math.floor((context_tokens * WINDOW_SHARE) / PICTURE_TOKENS)
  return most > 0 ? (await loadAttached(kit, run)).slice(-most) : []
}

/**
 * Assigns each picture to the first message sent after it was attached, so that it stays in its place in later turns. A picture
 * whose message is not sent goes to the newest one.
 */
export function placePictures(
  pictures: readonly AttachedPicture[],
  path: readonly PathMessage[],
  from: number,
): ReadonlyMap<string, FilePart[]> {
  const newest = path.findLastIndex(({ role }) => role === 'user')
  const placed = pictures.map(({ added_at, part }) => {
    const at = path.findIndex(({ role, created_at }) => role === 'user' && created_at >= added_at)
    return { id: path[at < from ? newest : at]?.id ?? '', part }
  })
  const byMessage = Map.groupBy(placed, ({ id }) => id)
  return new Map([...byMessage].map(([id, found]) => [id, found.map(({ part }) => part)]))
}
