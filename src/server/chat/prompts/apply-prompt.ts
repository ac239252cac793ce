import type { LeftOut } from '#shared/chat/prompts/prompts.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Caller } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { contentOf } from './prompt-version-store.ts'
import { setUpChat } from './set-up-store.ts'
import { findPrompt } from './store.ts'
import { findUsable } from './usable-settings.ts'

type Wish = { sessionId: string; promptId: string }

/**
 * Sets up an empty chat with the settings of a prompt. Settings that the prompt leaves open stay. @throws AppError `conflict` for a
 * chat with messages, `not_found`, `forbidden`
 */
export async function applyPrompt(
  deps: Deps,
  user: Caller,
  { sessionId, promptId }: Wish,
): Promise<{ left_out: LeftOut }> {
  const content = contentOf(await findPrompt(deps.db, user, 'read', promptId))
  const { usable, leftOut } = await findUsable(deps, user, content)
  if (await setUpChat(deps, sessionId, usable)) return { left_out: leftOut }
  throw new AppError('conflict', 'A prompt sets up a new chat only. This one has messages.')
}
