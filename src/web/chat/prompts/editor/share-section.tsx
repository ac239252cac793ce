import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Plus, Search, X } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import type { Prompt } from '#shared/chat/prompts/prompts.ts'
import {
  type Access,
  findRecipients,
  listPromptShares,
  type Recipient,
  type Share,
  type Shares,
  sharePrompt,
  unsharePrompt,
} from '#shared/identity/sharing/sharing.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { Input } from '../../../platform/ui/input.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { keyOfOne, promptsKey } from '../use-prompts.ts'

const keyOf = (promptId: string) => [...promptsKey, 'shares', promptId]

/** With whom a prompt is shared, for use or for editing. A change holds at once. */
export function ShareSection({ prompt }: { prompt: Prompt }) {
  const { t } = useTranslation('prompts')
  const { data, error } = useQuery({
    queryKey: keyOf(prompt.id),
    queryFn: ({ signal }) => call(listPromptShares, { params: { promptId: prompt.id }, signal }),
  })
  const { share, unshare } = useShares(prompt.id)
  if (error) return <Callout tone="danger">{errorText(t, error)}</Callout>
  if (!data) return <Skeletons className="grid gap-2" sizes={['h-12 w-full', 'h-12 w-full']} />
  return (
    <>
      {data.items.length === 0 ? (
        <p className="text-13 text-ink-2">{t('share.private')}</p>
      ) : (
        <ul
          aria-label={t('section.sharing')}
          className="divide-y divide-line rounded-card border border-line"
        >
          {data.items.map((one) => (
            <ShareRow key={one.id} share={one} onAccess={share} onRemove={() => unshare(one.id)} />
          ))}
        </ul>
      )}
      {data.may.everybody && !data.items.some(({ who }) => who === 'everybody') && (
        <Button
          className="justify-self-start"
          icon={<Plus aria-hidden className="icon-14" />}
          onClick={() => share({ who: 'everybody' }, 'use')}
        >
          {t('share.everybody')}
        </Button>
      )}
      {data.may.others ? (
        <RecipientSearch shares={data} onChoose={(recipient) => share(recipient, 'use')} />
      ) : (
        <p className="text-13 text-ink-3">{t('share.not_allowed')}</p>
      )}
    </>
  )
}

function useShares(promptId: string) {
  const { t } = useTranslation('prompts')
  const refetch = async () => {
    await queryClient.invalidateQueries({ queryKey: keyOf(promptId) })
    await queryClient.invalidateQueries({ queryKey: keyOfOne(promptId) })
    await queryClient.invalidateQueries({ queryKey: [...promptsKey, 'list'] })
  }
  const tell = (error: unknown) => void toast.error(errorText(t, error))
  return {
    share: (recipient: Recipient, access: Access) =>
      void call(sharePrompt, { params: { promptId }, body: { recipient, access } }).then(refetch, tell),
    unshare: (promptShareId: string) =>
      void call(unsharePrompt, { params: { promptId, promptShareId } }).then(refetch, tell),
  }
}

type ShareRowProps = {
  share: Share
  onAccess: (recipient: Recipient, access: Access) => void
  onRemove: () => void
}

function ShareRow({
  share: { who, recipient_id, name, company, access, can_remove },
  onAccess,
  onRemove,
}: ShareRowProps) {
  const { t } = useTranslation('prompts')
  const shown = name ?? t(`share.who.${who}`)
  return (
    <li className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 text-13">
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{shown}</span>
        <span className="block truncate text-12 text-ink-3">
          {[name && t(`share.who.${who}`), company].filter(Boolean).join(' · ')}
        </span>
      </span>
      {who !== 'everybody' && recipient_id && can_remove ? (
        <Select
          quiet
          size="sm"
          aria-label={t('share.access_of', { name: shown })}
          value={access}
          options={[
            { value: 'use', label: t('share.use') },
            { value: 'edit', label: t('share.edit') },
          ]}
          onValueChange={(next) => onAccess({ who, id: recipient_id }, next === 'edit' ? 'edit' : 'use')}
        />
      ) : (
        <span className="text-ink-2">{t(`share.${access}`)}</span>
      )}
      {can_remove && (
        <IconButton name={t('share.remove', { name: shown })} size="sm" onClick={onRemove}>
          <X aria-hidden className="icon" />
        </IconButton>
      )}
    </li>
  )
}

type RecipientSearchProps = { shares: Shares; onChoose: (recipient: Recipient) => void }

/** Companies, groups and people to share with, by name. */
function RecipientSearch({ shares, onChoose }: RecipientSearchProps) {
  const { t } = useTranslation('prompts')
  const [typed, setTyped] = useState('')
  const q = useDeferredValue(typed.trim())
  const { data } = useQuery({
    queryKey: ['share-recipients', q],
    queryFn: ({ signal }) => call(findRecipients, { query: q ? { q } : {}, signal }),
    placeholderData: keepPreviousData,
  })
  const taken = new Set(shares.items.map(({ recipient_id }) => recipient_id))
  const found = data?.items.filter(({ id }) => !taken.has(id)) ?? []
  return (
    <div className="grid gap-2">
      <Input
        type="search"
        quiet
        maxLength={200}
        icon={<Search aria-hidden />}
        aria-label={t('share.find')}
        placeholder={t('share.find')}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      {found.length > 0 && (
        <ul
          aria-label={t('share.found')}
          className="max-h-72 overflow-y-auto rounded-card border border-line p-1"
        >
          {found.map(({ who, id, name, detail }) => (
            <li key={id}>
              <button
                type="button"
                className="flex min-h-10 w-full items-center gap-2.5 rounded-control px-2 text-left text-13 hover:bg-surface-2 max-md:min-h-11"
                onClick={() => onChoose({ who, id })}
              >
                <span className="min-w-0 flex-1 truncate">{name}</span>
                <span className="truncate text-12 text-ink-3">
                  {[t(`share.who.${who}`), detail].filter(Boolean).join(' · ')}
                </span>
                <Plus aria-hidden className="icon-14 text-ink-3" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {data && found.length === 0 && <p className="text-13 text-ink-2">{t('share.nobody')}</p>}
    </div>
  )
}
