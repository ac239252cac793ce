import type { TFunction } from 'i18next'
import { Milestone } from 'lucide-react'
import { useTranslation } from '../i18n/i18n.ts'

/** A place of the run that can be returned to; neighbouring ones are one place, named after what was done. */
export function CheckpointDivider({ names }: { names: string[] }) {
  const { t } = useTranslation('streaming_blocks')
  const name = names.find((one) => !one.includes('llm_checkpoint')) ?? names[0] ?? ''
  return (
    <div className="my-1.5 flex h-5 items-center gap-2 text-12 text-ink-3">
      <span aria-hidden className="h-px w-3 bg-line" />
      <Milestone aria-hidden className="icon-12" />
      <span>{checkpointLabel(t, name)}</span>
      <span aria-hidden className="h-px flex-1 bg-line" />
    </div>
  )
}

const labels: [RegExp, string][] = [
  [/waiting_for_input(?!.*_with_input)/, 'waiting'],
  [/_with_input/, 'answered'],
  [/after_step(\d+)/, 'after'],
  [/step(\d+)/, 'before'],
  [/llm_checkpoint(?:_(\d+))?/, 'model'],
  [/completed/, 'completed'],
]

/** A checkpoint's name in words; what has no words of its own stays as it is. Names count steps from 0. */
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
