import { Link } from '@tanstack/react-router'
import type { ChatMemory } from '#shared/chat/memory/memory.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Switch } from '../../platform/ui/checkbox.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { MaskingSwitch } from '../masking/masking.tsx'
import { useChatMemory } from './use-chat-memory.ts'
import { useSettingsChange } from './use-facts.ts'

type Props = { sessionId: string }
type Place = keyof ChatMemory['is_on']

/** Switches of memory for a chat. The strictest switch decides. */
export function MemorySection({ sessionId }: Props) {
  const { t } = useTranslation('memory')
  const { data } = useChatMemory(sessionId)
  const { mutate } = useSettingsChange()
  if (!data) return <Skeletons sizes={['h-4 w-full', 'h-4 w-full', 'h-4 w-3/4']} />
  const { is_on, assistant, provider } = data
  const change = (place: Place, isOn: boolean) => {
    if (place === 'account') return mutate({ is_on: isOn })
    const named = {
      chat: { session_id: sessionId },
      assistant: { assistant_id: assistant?.id },
      provider: { provider: provider ?? undefined },
    }[place]
    mutate({ switches: [{ ...named, is_on: isOn }] })
  }
  const places: { place: Place; name: string }[] = [
    { place: 'chat', name: t('here.chat') },
    ...(assistant
      ? [{ place: 'assistant' as const, name: t('here.assistant', { name: assistant.name }) }]
      : []),
    ...(provider ? [{ place: 'provider' as const, name: t('here.provider', { name: provider }) }] : []),
    { place: 'account', name: t('side.account') },
  ]
  return (
    <div className="grid gap-1 px-4 pt-1 pb-3 text-13">
      {places.map(({ place, name }) => (
        <div key={place} className="flex min-h-9 items-center gap-3 max-md:min-h-11">
          <span className="min-w-0 flex-1 truncate">{name}</span>
          <Switch aria-label={name} checked={is_on[place]} onCheckedChange={(isOn) => change(place, isOn)} />
        </div>
      ))}
      <p className="flex flex-wrap gap-x-2 text-12 text-ink-3">
        {t('here.strictest')}
        <Link to="/memory" className="font-medium text-accent hover:underline">
          {t('here.all')}
        </Link>
      </p>
      <MaskingSwitch sessionId={sessionId} />
    </div>
  )
}

/** Says that memory is off in the chat. */
export function MemoryNote({ sessionId }: Props) {
  const { t } = useTranslation('memory')
  const { data } = useChatMemory(sessionId)
  if (!data) return null
  const isOn = Object.values(data.is_on).every(Boolean)
  return t(isOn ? 'here.on' : 'here.off')
}
