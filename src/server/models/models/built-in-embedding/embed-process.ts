import { codeUrl } from '../../../platform/process/checkout.ts'
import {
  asWanted,
  type ModelProcess,
  notAvailable,
  type Said,
  startModelProcess,
} from '../process/model-process.ts'
import type { FromEmbedChild, ToEmbedChild } from './embed-child.ts'
import type { Match } from './late-interaction.ts'

/** A process that embeds one small batch of texts at a time. */
export type EmbedProcess = {
  isLive(): boolean
  /** @throws ModelError */
  embed(texts: string[]): Promise<Float32Array[]>
  /** Returns how the tokens of each text match those of the question. @throws ModelError */
  match(question: string, texts: string[]): Promise<Match[]>
  end(): void
}

/**
 * Starts the process that embeds with the model in this folder. Creates the model there if needed.
 * @throws ModelError: `not_available` with the reason when this machine cannot run it, otherwise another kind
 */
export async function startEmbedProcess(folder: string): Promise<EmbedProcess> {
  const script = codeUrl('src/server/models/models/built-in-embedding/embed-child.ts')
  const start = () => startModelProcess<ToEmbedChild, FromEmbedChild>(script, folder)
  const started = (await start()) ?? (await start())
  if (!started) throw notAvailable('the model could not be stored')
  return embedProcessOf(started)
}

function embedProcessOf({
  isLive,
  ask,
  end,
}: ModelProcess<ToEmbedChild, FromEmbedChild | Said>): EmbedProcess {
  return {
    ...{ isLive, end },
    embed: async (texts) => asWanted(await ask({ texts }), 'embedded').vectors,
    match: async (question, texts) => asWanted(await ask({ texts, question }), 'matched').matches,
  }
}
