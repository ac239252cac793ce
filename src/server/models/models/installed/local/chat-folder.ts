import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'

/** Name of the model file in the folder of a chat model. */
export const MODEL_FILE = 'model.gguf'
const FACTS_FILE = 'facts.json'

/** Results of testing a chat model. A model without them is not offered. */
const ChatFacts = z.object({
  /** The name stated in the model file; null if it states none. */
  title: z.nullable(z.string()),
  context_tokens: z.int().check(z.positive()),
  tokens_per_second: z.number(),
})
export type ChatFacts = z.infer<typeof ChatFacts>

/** Reads the facts of a folder. Returns null before the first test, or if the file is invalid. */
export async function readChatFacts(folder: string): Promise<ChatFacts | null> {
  try {
    return z.parse(ChatFacts, JSON.parse(await readFile(join(folder, FACTS_FILE), 'utf8')))
  } catch {
    return null
  }
}

export const writeChatFacts = (folder: string, facts: ChatFacts): Promise<void> =>
  writeFile(join(folder, FACTS_FILE), JSON.stringify(facts))

/** Returns a stamp that changes when the model file is replaced; empty if there is no file. */
export async function stampOfChat(folder: string): Promise<string> {
  const found = await stat(join(folder, MODEL_FILE)).catch(() => null)
  return found ? `${found.size} ${found.mtimeMs} ${found.ino}` : ''
}
