import type { TFunction } from 'i18next'

/** Returns a checkpoint's name as text; an unknown one stays unchanged. Names count steps from 0. */
export function checkpointLabel(t: TFunction, name: string): string {
  for (const [pattern, label] of labels) {
    const found = pattern.exec(name)
    if (!found) continue
    const number = Number(found[1] ?? 0) + (label === 'model' ? 0 : 1)
    const key = label === 'model' && found[1] === undefined ? 'model_any' : label
    return t(`streaming_blocks:checkpoint.${key}`, { number })
  }
  return name.replaceAll('_', ' ')
}

const labels: [RegExp, string][] = [
  [/_with_input/, 'answered'],
  [/waiting_for_input/, 'waiting'],
  [/after_step(\d+)/, 'after'],
  [/step(\d+)/, 'before'],
  [/llm_checkpoint(?:_(\d+))?/, 'model'],
  [/completed/, 'completed'],
]
