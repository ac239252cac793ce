import { ArrowLeft, Plus, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { type Channel, type ChannelPlace, DIRECT } from '#shared/api/channels/channels.ts'
import { builtInIds } from '#shared/chat/assistants/assistants.ts'
import { useAssistants } from '../../chat/assistants/assistants.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Checkbox } from '../../platform/ui/checkbox.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { Select } from '../../platform/ui/select.tsx'
import { useOffered, useSetPlaces } from './use-channels.ts'

/** Chooses which assistant answers in which channel. */
export function PlaceChoice({ channel, onBack }: { channel: Channel; onBack: () => void }) {
  const { t } = useTranslation('channels')
  const offered = useOffered(channel.id)
  const { data: assistants = [] } = useAssistants()
  const [places, setPlaces] = useState<ChannelPlace[]>(() =>
    channel.places.map(({ foreign_id, name, assistant_id }) => ({ foreign_id, name, assistant_id })),
  )
  const save = useSetPlaces(channel.id, onBack)
  const choices = assistantsOf(channel, assistants)
  const direct = places.find(({ foreign_id }) => foreign_id === DIRECT)
  const free = (offered.data?.items ?? []).filter(
    (one) => !places.some(({ foreign_id }) => foreign_id === one.foreign_id),
  )
  const put = (changed: ChannelPlace) =>
    setPlaces(places.map((one) => (one.foreign_id === changed.foreign_id ? changed : one)))
  const drop = (id: string) => setPlaces(places.filter(({ foreign_id }) => foreign_id !== id))
  const add = (place: { foreign_id: string; name: string }) =>
    setPlaces([...places, { ...place, assistant_id: choices[0]?.value ?? null }])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!save.isPending) save.mutate(places)
  }
  return (
    <form onSubmit={submit} className="grid max-w-180 gap-4">
      <div className="admin-head mb-0!">
        <h2>{t('places.title', { name: channel.name })}</h2>
        <span className="flex-1" />
        <Button variant="ghost" icon={<ArrowLeft aria-hidden className="icon" />} onClick={onBack}>
          {t('back')}
        </Button>
      </div>
      <p className="text-13 text-ink-2">{t('places.intro')}</p>
      {offered.error && (
        <Callout tone="warning" title={t('places.unreadable')}>
          {errorText(t, offered.error)}
        </Callout>
      )}
      <ul className="grid gap-2">
        {places
          .filter(({ foreign_id }) => foreign_id !== DIRECT)
          .map((place) => (
            <li key={place.foreign_id} className="flex items-center gap-2">
              <span className="min-w-0 flex-1 truncate text-13 font-medium">{place.name}</span>
              <Select
                className="w-1/2"
                aria-label={t('places.assistant', { name: place.name })}
                value={place.assistant_id ?? ''}
                options={choices}
                onValueChange={(assistant_id) => put({ ...place, assistant_id })}
              />
              <IconButton
                name={t('remove_one', { name: place.name })}
                size="sm"
                onClick={() => drop(place.foreign_id)}
              >
                <Trash2 aria-hidden className="icon" />
              </IconButton>
            </li>
          ))}
      </ul>
      {free.length > 0 && choices.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {free.slice(0, 40).map((one) => (
            <Button
              key={one.foreign_id}
              size="sm"
              icon={<Plus aria-hidden className="icon-14" />}
              onClick={() => add(one)}
            >
              {one.name}
            </Button>
          ))}
        </div>
      )}
      {offered.data && free.length === 0 && (
        <p className="text-13 text-ink-2">{t(`places.invite.${channel.kind}`)}</p>
      )}
      <div className="flex flex-wrap items-center gap-2 border-t border-line pt-4">
        <Checkbox
          className="min-w-0 flex-1"
          label={t('places.direct')}
          checked={direct !== undefined}
          onCheckedChange={(checked) =>
            checked
              ? setPlaces([...places, { foreign_id: DIRECT, name: DIRECT, assistant_id: null }])
              : drop(DIRECT)
          }
        />
        {direct && (
          <Select
            className="w-1/2"
            aria-label={t('places.assistant', { name: t('direct') })}
            value={direct.assistant_id ?? ''}
            options={[{ value: '', label: t('no_assistant') }, ...choices]}
            onValueChange={(id) => put({ ...direct, assistant_id: id === '' ? null : id })}
          />
        )}
      </div>
      {save.error && <Callout tone="danger">{errorText(t, save.error)}</Callout>}
      <div>
        <Button type="submit" variant="primary" busy={save.isPending}>
          {t('save')}
        </Button>
      </div>
    </form>
  )
}

/** Returns the assistants to choose from, with those that answer already. */
function assistantsOf({ places }: Channel, listed: readonly { id: string; name: string }[]) {
  const named = new Map(
    [...listed]
      .filter(({ id }) => !builtInIds.includes(id))
      .map(({ id, name }) => [id, name] as [string, string]),
  )
  for (const { assistant_id, assistant_name } of places)
    if (assistant_id && assistant_name) named.set(assistant_id, assistant_name)
  return [...named].map(([value, label]) => ({ value, label }))
}
