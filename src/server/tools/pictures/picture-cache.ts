import type { FilePart } from '../../models/models/port.ts'

/** Caches the most recently used pictures, because every turn of a chat sends them again. */
export function createPictureCache(maxCharacters: number) {
  const parts = new Map<string, FilePart>()
  let characters = 0
  const remove = (key: string) => {
    characters -= parts.get(key)?.data_base64.length ?? 0
    parts.delete(key)
  }
  return {
    get(key: string): FilePart | undefined {
      const part = parts.get(key)
      if (!part) return undefined
      parts.delete(key)
      parts.set(key, part)
      return part
    },
    set(key: string, part: FilePart): void {
      remove(key)
      parts.set(key, part)
      characters += part.data_base64.length
      for (const oldest of parts.keys()) {
        if (characters <= maxCharacters) break
        remove(oldest)
      }
    },
  }
}
