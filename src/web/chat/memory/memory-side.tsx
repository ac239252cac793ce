import { useQuery } from '@tanstack/react-query'
import { ShieldX } from 'lucide-react'
import type { ReactNode } from 'react'
import { listAssistants } from '#shared/chat/assistants/assistants.ts'
import { isSecret, MAX_FACT_TOKENS, RefusalReason } from '#shared/chat/memory/fact.ts'
import type { MemorySettings } from '#shared/chat/memory/memory.ts'
import { formatDate } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { availableModels } from '../../platform/lib/models/available-models.ts'
import { Switch } from '../../platform/ui/checkbox.tsx'
import { Choice, Segment } from '../../platform/ui/choices/segments.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { titleOf } from '../../runs/sessions/sessions.ts'
import { useMemorySettings, useSettingsChange } from './use-facts.ts'

/** The settings of memory: proposals, where it is on, and what was refused. */
export function MemorySide() {
  const { t } = useTranslation('memory')
  const { data: settings } = useMemorySettings()
  const { mutate } = useSettingsChange()
  if (!settings) return <Skeletons className="grid gap-3" sizes={['h-8 w-48', 'h-40 w-full']} />
  return (
    <aside aria-label={t('side.label')} className="grid grid-cols-1 gap-5">
      <Part title={t('side.proposals')}>
        <Choice name={t('side.proposals')}>
          {(['keep', 'ask', 'refuse'] as const).map((value) => (
            <Segment
              key={value}
              isOn={settings.proposals === value}
              onClick={() => mutate({ proposals: value })}
            >
              {t(`side.${value}`)}
            </Segment>
          ))}
        </Choice>
        <p className="text-12 text-ink-3">{t(`side.${settings.proposals}_note`)}</p>
      </Part>
      <Part title={t('side.budget')}>
        <p className="text-13 text-ink-2">{t('side.budget_note', { count: MAX_FACT_TOKENS })}</p>
      </Part>
      <Part title={t('side.refused')}>
        <Refused settings={settings} />
        <p className="text-12 text-ink-3">{t('side.refused_note')}</p>
      </Part>
      {/* Last, because its list grows when it is loaded. */}
      <Part title={t('side.where')}>
        <p className="text-12 text-ink-3">{t('side.where_note')}</p>
        <Places settings={settings} />
      </Part>
    </aside>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid grid-cols-1 justify-items-start gap-2">
      <h2 className="text-13 font-semibold">{title}</h2>
      {children}
    </section>
  )
}

/** Switches of the account, of every provider, and of the assistants. */
function Places({ settings }: { settings: MemorySettings }) {
  const { t } = useTranslation('memory')
  const { mutate } = useSettingsChange()
  const { data: models = [] } = useQuery(availableModels)
  const { data: assistants = [] } = useQuery({
    queryKey: ['assistants', 'for-memory'],
    queryFn: ({ signal }) => call(listAssistants, { signal }),
    staleTime: 60_000,
  })
  const providers = new Map(models.map(({ id, provider_name }) => [id.split('/', 1)[0] ?? id, provider_name]))
  for (const provider of settings.off.providers)
    if (!providers.has(provider)) providers.set(provider, provider)
  return (
    <div className="max-h-96 w-full overflow-y-auto rounded-card border border-line">
      <Row name={t('side.account')} isOn={settings.is_on} onChange={(is_on) => mutate({ is_on })} />
      {[...providers].map(([provider, name]) => (
        <Row
          key={provider}
          kind={t('side.provider')}
          name={name}
          isOn={!settings.off.providers.includes(provider)}
          onChange={(is_on) => mutate({ switches: [{ provider, is_on }] })}
        />
      ))}
      {assistants.map(({ id, name }) => (
        <Row
          key={id}
          kind={t('side.assistant')}
          name={name}
          isOn={!settings.off.assistants.includes(id)}
          onChange={(is_on) => mutate({ switches: [{ assistant_id: id, is_on }] })}
        />
      ))}
    </div>
  )
}

type RowProps = { kind?: string; name: string; isOn: boolean; onChange: (isOn: boolean) => void }

function Row({ kind, name, isOn, onChange }: RowProps) {
  return (
    <div className="flex min-h-11 items-center gap-3 border-b border-line px-3 py-1.5 last:border-0">
      <span className="grid min-w-0 flex-1">
        <span className="truncate text-13 font-medium" dir="auto">
          {name}
        </span>
        {kind && <span className="text-12 text-ink-3">{kind}</span>}
      </span>
      <Switch aria-label={kind ? `${kind} ${name}` : name} checked={isOn} onCheckedChange={onChange} />
    </div>
  )
}

function Refused({ settings: { refused } }: { settings: MemorySettings }) {
  const { t } = useTranslation('memory')
  const shown = refused.flatMap((one) => {
    const { data: reason } = RefusalReason.safeParse(one.reason)
    return reason && isSecret(reason) ? [{ ...one, reason }] : []
  })
  if (shown.length === 0) return <p className="text-13 text-ink-2">{t('side.none_refused')}</p>
  return (
    <ul
      aria-label={t('side.refused')}
      className="w-full divide-y divide-line rounded-card border border-line"
    >
      {shown.map(({ id, reason, at, chat }) => (
        <li key={id} className="flex items-center gap-2.5 px-3 py-2">
          <ShieldX aria-hidden className="icon flex-none text-ink-2" />
          <span className="grid min-w-0">
            <span className="text-13 font-medium">{t(`reason.${reason}`)}</span>
            <span className="num truncate text-12 text-ink-3">
              {formatDate(at)}
              {chat && ` · ${titleOf(chat, t)}`}
            </span>
          </span>
        </li>
      ))}
    </ul>
  )
}
