import type { LeftOut } from '#shared/chat/prompts/prompts.ts'
import { AppError } from '#shared/platform/errors.ts'
import { findModelFor } from '../../models/model-choice/model-choice.ts'
import type { Caller } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { findAssistant } from '../assistants/assistants.ts'
import { findReadable, type Settings, type Usable } from './set-up-store.ts'

/** Splits the chat settings of a prompt into those a person may use and what is left out. */
export async function findUsable(
  deps: Deps,
  user: Caller,
  { assistant_id, model_name, tools, documents }: Settings,
): Promise<{ usable: Usable; leftOut: LeftOut }> {
  const [assistant, model, offered, readable] = await Promise.all([
    assistant_id === null ? null : orNull(findAssistant(deps, user, assistant_id)),
    model_name === null ? null : orNull(findModelFor(deps, user.id, model_name)),
    tools === null ? [] : deps.tools.load(user.id),
    findReadable(deps, user, documents),
  ])
  const ids = new Set(offered.map(({ contract }) => contract.id))
  const usable = {
    assistant_id: assistant?.id ?? null,
    agent_type: assistant?.agent_type ?? null,
    model_name: model?.id ?? null,
    tools: tools?.filter((id) => ids.has(id)) ?? null,
    documents: documents.filter((id) => readable.has(id)),
  }
  return {
    usable,
    leftOut: {
      assistant: assistant_id !== null && assistant === null,
      model: model === null ? model_name : null,
      tools: (tools?.length ?? 0) - (usable.tools?.length ?? 0),
      documents: documents.length - usable.documents.length,
    },
  }
}

/** Returns null for what a person may not use, or what is gone. */
async function orNull<Found>(wanted: Promise<Found>): Promise<Found | null> {
  return wanted.catch((error) => {
    if (error instanceof AppError) return null
    throw error
  })
}
