import type { TFunction } from 'i18next'
import { RunUsage } from '#shared/runs/runs/usage.ts'
import { formatCost, formatNumber } from '../../../platform/i18n/format.ts'
import { modelLabel } from '../../../platform/lib/models/model-label.ts'
import type { ChatMessage } from '../chat/message-store.ts'
import { writerOf } from '../chat/use-assistant.ts'
import { isPlainReply } from './plain-reply.ts'

/** Returns the author, time, tokens and price of a reply, as far as they are known; for the built-in model only the author. */
export function noteOf(message: ChatMessage, t: TFunction): string {
  const { metadata, model_name, blocks } = message
  if (isPlainReply(model_name, blocks)) return writerOf(message) ?? ''
  const { data: usage } = RunUsage.safeParse(metadata.usage)
  const facts = [
    writerOf(message),
    modelsOf(message)
      .map((id) => modelLabel(id, t))
      .join(', '),
    ...(usage ? costOf(usage, t) : []),
  ]
  return facts.filter(Boolean).join(' · ')
}

/** Returns the models that answered: the intended one, unless a fallback replaced it before it had done anything. */
function modelsOf({ model_name, agent_type, blocks }: ChatMessage): string[] {
  // Each column of a comparison names its own.
  if (agent_type === 'comparison') return []
  const first = blocks.findIndex(({ type }) => type === 'fallback')
  const answered = blocks.flatMap((block) => (block.type === 'fallback' ? [block.answered.id] : []))
  const hasAnswered = first < 0 || blocks.slice(0, first).some(({ type }) => type !== 'checkpoint')
  return [...new Set([...(model_name && hasAnswered ? [model_name] : []), ...answered])]
}

/** Returns time, tokens and price of a reply. */
export function costOf(usage: RunUsage, t: TFunction): string[] {
  const { calls, amount, unpriced, estimated } = usage
  if (calls === 0) return [timeOf(usage, t)]
  const count = usage.input_tokens + usage.output_tokens
  const tokens = t('streaming_blocks:usage.tokens', { count, tokens: formatNumber(count) })
  const price = unpriced ? t('streaming_blocks:usage.unpriced') : t('streaming_blocks:usage.free')
  const paid = unpriced
    ? t('streaming_blocks:usage.at_least', { price: formatCost(amount) })
    : formatCost(amount)
  return [timeOf(usage, t), estimated ? `≈ ${tokens}` : tokens, amount > 0 ? paid : price]
}

function timeOf({ seconds }: RunUsage, t: TFunction): string {
  if (seconds < 10) return t('streaming_blocks:usage.seconds', { seconds: formatNumber(seconds) })
  const whole = Math.round(seconds)
  if (whole < 60) return t('streaming_blocks:usage.seconds', { seconds: whole })
  return t('streaming_blocks:usage.minutes', { minutes: Math.floor(whole / 60), seconds: whole % 60 })
}
