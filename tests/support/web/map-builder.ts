import type { MapMessage } from '#shared/chat/branches/branches.ts'

/** Returns messages of a map from `id < parent`, in order. Ids with the prefix `q` are the person's messages. */
export function aMap(...written: string[]): MapMessage[] {
  return written.map((line, at) => {
    const [id = '', parent] = line.split(' < ')
    const isYours = id.startsWith('q')
    return {
      ...{ id, parent_id: parent ?? null, role: isYours ? 'user' : 'assistant', text: `Text of ${id}` },
      ...{ model_name: isYours ? null : 'openai/gpt-4o', is_active: false },
      created_at: new Date(Date.UTC(2026, 0, 1, 9, at)).toISOString(),
    }
  })
}
