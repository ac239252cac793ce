import { CircleCheck, CirclePause, Hash, MessagesSquare, Pencil, Trash2, TriangleAlert } from 'lucide-react'
import { type Channel, DIRECT } from '#shared/api/channels/channels.ts'
import { formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Badge } from '../../platform/ui/badge.tsx'
import { Button } from '../../platform/ui/button.tsx'
import { CopyButton } from '../../platform/ui/copy-button.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'

type ChannelCardProps = { channel: Channel; onEdit: () => void; onPlaces: () => void; onRemove: () => void }

/** One connection: whether it works, who answers where, and what happened in the last day. */
export function ChannelCard({ channel, onEdit, onPlaces, onRemove }: ChannelCardProps) {
  const { t } = useTranslation('channels')
  const { name, kind, workspace, company, detail, day, places } = channel
  const Icon = kind === 'slack' ? Hash : MessagesSquare
  return (
    <section aria-label={name} className="overflow-hidden rounded-row border border-line">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
        <Icon aria-hidden className="icon flex-none text-ink-2" />
        <div className="min-w-0 flex-1 basis-52">
          <h3 className="truncate text-14 font-medium">{name}</h3>
          <p className="truncate text-12 text-ink-2">
            {t(`kinds.${kind}`)} · {workspace} · {company.name}
          </p>
        </div>
        <State channel={channel} />
        <Button size="sm" onClick={onPlaces}>
          {places.length === 0 ? t('places.choose') : t('places.change')}
        </Button>
        <span className="flex gap-1">
          <IconButton name={t('edit', { name })} size="sm" onClick={onEdit}>
            <Pencil aria-hidden className="icon" />
          </IconButton>
          <IconButton name={t('remove_one', { name })} size="sm" onClick={onRemove}>
            <Trash2 aria-hidden className="icon" />
          </IconButton>
        </span>
      </div>
      {detail !== null && <p className="border-t border-line px-4 py-2 text-13 text-warning">{detail}</p>}
      {day.unsent_detail !== null && (
        <p className="border-t border-line px-4 py-2 text-13 text-warning">
          {t('unsent', { reason: day.unsent_detail })}
        </p>
      )}
      {places.length > 0 && <Places channel={channel} />}
      <Day channel={channel} />
      <Addresses channel={channel} />
    </section>
  )
}

function State({ channel: { is_on, detail } }: { channel: Channel }) {
  const { t } = useTranslation('channels')
  if (!is_on)
    return (
      <Badge tone="neutral" icon={<CirclePause aria-hidden />}>
        {t('state.off')}
      </Badge>
    )
  return detail === null ? (
    <Badge tone="success" icon={<CircleCheck aria-hidden />}>
      {t('state.works')}
    </Badge>
  ) : (
    <Badge tone="warning" icon={<TriangleAlert aria-hidden />}>
      {t('state.fails')}
    </Badge>
  )
}

function Places({ channel: { places } }: { channel: Channel }) {
  const { t } = useTranslation('channels')
  return (
    <ul className="divide-y divide-line border-t border-line">
      {places.map(({ foreign_id, name, assistant_name, members, threads }) => {
        const isDirect = foreign_id === DIRECT
        const reads = isDirect
          ? t('reads.direct')
          : members === null
            ? t('reads.all_members')
            : t('reads.members', { count: members })
        return (
          <li
            key={foreign_id}
            className="grid gap-x-4 px-4 py-2 text-13 md:grid-cols-[minmax(0,1.2fr)_minmax(0,1.2fr)_minmax(0,1.6fr)_auto]"
          >
            <span className="truncate font-medium">{isDirect ? t('direct') : name}</span>
            <span className="truncate">{assistant_name ?? t('no_assistant')}</span>
            <span className="text-ink-2">{reads}</span>
            <span className="text-ink-2 md:text-end">{t('threads', { count: threads })}</span>
          </li>
        )
      })}
    </ul>
  )
}

function Day({ channel: { day, people } }: { channel: Channel }) {
  const { t } = useTranslation('channels')
  const facts = [
    ['events', day.events],
    ['repeated', day.repeated],
    ['waiting', day.waiting],
    ['failed', day.failed],
    ['unsent', day.unsent],
    ['unsure', day.unsure],
    ['users', people.users],
    ['strangers', people.strangers],
  ] as const
  return (
    <dl className="flex flex-wrap gap-x-5 gap-y-1 border-t border-line px-4 py-2 text-12">
      {facts.map(([fact, count]) => (
        <div key={fact} className="flex gap-1.5">
          <dt className="text-ink-2">{t(`day.${fact}`)}</dt>
          <dd className="font-medium">{formatNumber(count)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The addresses that the administrator enters at the service. */
function Addresses({ channel: { kind, events_url, actions_url } }: { channel: Channel }) {
  const { t } = useTranslation('channels')
  const all =
    kind === 'teams'
      ? ([['messages_url', events_url]] as const)
      : ([
          ['events_url', events_url],
          ['actions_url', actions_url],
        ] as const)
  return (
    <ul className="grid gap-1 border-t border-line bg-surface-2 px-4 py-2 text-12">
      {all.map(([word, url]) => (
        <li key={word} className="flex min-w-0 items-center gap-2">
          <span className="flex-none text-ink-2">{t(word)}</span>
          <span className="min-w-0 flex-1 truncate font-mono">{url}</span>
          <CopyButton name={t('copy', { name: t(word) })} size="sm" read={() => url} />
        </li>
      ))}
    </ul>
  )
}
