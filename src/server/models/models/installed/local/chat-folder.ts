import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'

/** The file of a chat model in its folder. */
export const MODEL_FILE = 'model.gguf'
const FACTS_FILE = 'facts.json'

/** What a trial found of a chat model. Without it a model is not offered. */
const ChatFacts = z.object({
  /** The name its file gives; null when it gives none. */
  title: z.nullable(z.string()),
  context_tokens: z.int().check(z.positive()),
  tokens_per_second: z.number(),
})
export type ChatFacts = z.infer<typeof ChatFacts>

/** The facts of a folder; null before a trial, or where they cannot be read. */
export async function readChatFacts(folder: string): Promise<ChatFacts | null> {
  try {
    return z.parse(ChatFacts, JSON.parse(await readFile(join(folder, FACTS_FILE), 'utf8')))
  } catch {
    return null
  }
}

export const writeChatFacts = (folder: string, facts: ChatFacts): Promise<void> =>
  writeFile(join(folder, FACTS_FILE), JSON.stringify(facts))

/** Changes when the file of a model is replaced. */
export async function stampOfChat(folder: string): Promise<string> {
  const found = await stat(join(folder, MODEL_FILE)).catch(() => null)
  return found ? `${found.size} ${found.mtimeMs} ${found.ino}` : ''
}
