import { MessagesSquare, Plus } from 'lucide-react'
import { useState } from 'react'
import type { Channel } from '#shared/api/channels/channels.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { ConfirmDialog } from '../../platform/ui/overlays/confirm-dialog.tsx'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { ChannelCard } from './channel-card.tsx'
import { ChannelForm } from './channel-form.tsx'
import { PlaceChoice } from './place-choice.tsx'
import { useChannels, useDeleteChannel } from './use-channels.ts'

/** Slack and Microsoft Teams, and the assistants that answer there. */
export default function ChannelsPage() {
  const { t } = useTranslation('channels')
  const { data, error, isPending, refetch } = useChannels()
  const [edited, setEdited] = useState<Channel | 'new' | null>(null)
  const [choosing, setChoosing] = useState<string | null>(null)
  const [removing, setRemoving] = useState<Channel | null>(null)
  const remove = useDeleteChannel(() => setRemoving(null))
  const chosen = data?.items.find(({ id }) => id === choosing)
  if (edited)
    return (
      <ChannelForm
        channel={edited === 'new' ? null : edited}
        onBack={() => setEdited(null)}
        onSaved={(saved) => {
          setEdited(null)
          if (edited === 'new') setChoosing(saved.id)
        }}
      />
    )
  if (chosen) return <PlaceChoice key={chosen.id} channel={chosen} onBack={() => setChoosing(null)} />
  return (
    <>
      <div className="admin-head">
        <h2>{t('title')}</h2>
        <span className="flex-1" />
        <Button
          variant="primary"
          icon={<Plus aria-hidden className="icon" />}
          onClick={() => setEdited('new')}
        >
          {t('connect')}
        </Button>
      </div>
      <p className="-mt-2 mb-4 max-w-180 text-13 text-ink-2">{t('intro')}</p>
      {isPending && <Skeletons className="grid gap-2" sizes={['h-32', 'h-32']} />}
      {error && !data && (
        <Callout
          tone="danger"
          action={
            <Button size="sm" onClick={() => void refetch()}>
              {t('common:actions.retry')}
            </Button>
          }
        >
          {errorText(t, error)}
        </Callout>
      )}
      {data?.items.length === 0 && (
        <EmptyState icon={<MessagesSquare aria-hidden />} title={t('none')}>
          {t('none_hint')}
        </EmptyState>
      )}
      <div className="grid gap-4">
        {data?.items.map((channel) => (
          <ChannelCard
            key={channel.id}
            channel={channel}
            onEdit={() => setEdited(channel)}
            onPlaces={() => setChoosing(channel.id)}
            onRemove={() => setRemoving(channel)}
          />
        ))}
      </div>
      <ConfirmDialog
        open={removing !== null}
        onOpenChange={(open) => open || setRemoving(null)}
        title={t('remove_title', { name: removing?.name ?? '' })}
        message={t('remove_hint')}
        confirmLabel={t('remove')}
        busy={remove.isPending}
        onConfirm={() => removing && remove.mutate(removing.id)}
      />
    </>
  )
}
