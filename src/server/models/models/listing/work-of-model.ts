import type { ListedModel } from './listed-model.ts'

const otherWork =
  /embed|whisper|tts|dall-e|moderation|rerank|transcribe|realtime|audio|image|sora|davinci|babbage|computer-use|imagen|veo|aqa/i

type Abilities = { draws?: (id: string) => boolean; reranks?: boolean }

/** Returns what a model does, by its name; null for kinds that Atrium does not use. */
export function workOfModel(
  id: string,
  { draws = () => false, reranks = false }: Abilities = {},
): ListedModel['does'] | null {
  if (draws(id)) return 'draw'
  if (/embed/i.test(id)) return 'embed'
  if (!otherWork.test(id)) return 'chat'
  return reranks && /rerank/i.test(id) ? 'rerank' : null
}
