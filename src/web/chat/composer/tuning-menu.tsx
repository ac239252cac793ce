import { SlidersHorizontal } from 'lucide-react'
import { type Session, type SessionMetadata, tuneSession } from '#shared/chat/sessions/sessions.ts'
import { ChosenEffort } from '#shared/models/connections/tuning.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useIsOpen } from '../../platform/lib/me/me.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Menu } from '../../platform/ui/overlays/menu.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { setInSession } from '../../runs/sessions/sessions.ts'
import { useModel } from './use-model.ts'

type Chosen = Pick<SessionMetadata, 'effort' | 'temperature' | 'max_words'>

const temperatures = [
  ['exact', 0],
  ['balanced', 0.7],
  ['free', 1],
] as const

/** Maximum words of an answer that people choose from. */
const lengths = [100, 300, 1000] as const

/** Effort, temperature and length of the next replies of a chat, as far as its model supports them. */
export function TuningMenu({ session }: { session: Session | null }) {
  const { t } = useTranslation('streaming_blocks')
  const { current } = useModel(session?.id ?? null, session?.model_name ?? null)
  const tuning = current?.tuning ?? []
  const mayTune = useIsOpen('tuning')
  if (!session || !mayTune || tuning.length === 0) return null
  const { effort = null, temperature = null, max_words: words = null } = session.session_metadata
  const choose = (body: Chosen) => {
    const save = () => call(tuneSession, { params: { sessionId: session.id }, body })
    setInSession(session.id, body, save).catch((error) => toast.error(errorText(t, error)))
  }
  const entryOf = (key: string, label: string, checked: boolean, body: Chosen) => ({
    ...{ key, label, checked },
    onSelect: () => choose(body),
  })
  const efforts = [
    { kind: 'heading' as const, label: t('tuning.effort') },
    entryOf('effort-default', t('tuning.default'), effort === null, { effort: null }),
    ...ChosenEffort.options.map((one) =>
      entryOf(`effort-${one}`, t(`tuning.efforts.${one}`), effort === one, { effort: one }),
    ),
  ]
  const isOther = temperature !== null && !temperatures.some(([, value]) => value === temperature)
  const heats = [
    { kind: 'heading' as const, label: t('tuning.temperature') },
    entryOf('temperature-default', t('tuning.default'), temperature === null, { temperature: null }),
    ...temperatures.map(([name, value]) =>
      entryOf(
        `temperature-${name}`,
        t(`tuning.temperatures.${name}`, { value: formatNumber(value) }),
        temperature === value,
        { temperature: value },
      ),
    ),
    ...(isOther ? [entryOf('temperature-other', formatNumber(temperature), true, { temperature })] : []),
  ]
  const wordsOf = (count: number) => t('tuning.words', { count, value: formatNumber(count) })
  const isOtherLength = words !== null && !lengths.some((one) => one === words)
  const sizes = [
    { kind: 'heading' as const, label: t('tuning.length') },
    entryOf('length-default', t('tuning.default'), words === null, { max_words: null }),
    ...[...lengths, ...(isOtherLength ? [words] : [])].map((one) =>
      entryOf(`length-${one}`, wordsOf(one), words === one, { max_words: one }),
    ),
  ]
  const groups = [
    ...(tuning.includes('effort') ? [efforts] : []),
    ...(tuning.includes('temperature') ? [heats] : []),
    ...(tuning.includes('length') ? [sizes] : []),
  ]
  return (
    <Menu
      side="top"
      trigger={
        <Button
          variant="ghost"
          aria-label={t(groups.length > 1 ? 'tuning.button' : `tuning.${tuning[0] ?? 'button'}`)}
          icon={<SlidersHorizontal aria-hidden className="icon" />}
        />
      }
      entries={groups.flatMap((group, at) => (at === 0 ? group : [{ kind: 'separator' as const }, ...group]))}
    />
  )
}
