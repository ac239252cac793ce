import { Undo2, X } from 'lucide-react'
import { useState } from 'react'
import { Access, type RecipientKind, type Share, type Shares } from '#shared/identity/sharing/sharing.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Switch } from '../../platform/ui/checkbox.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { Select } from '../../platform/ui/select.tsx'
import { RecipientRow } from './recipient-row.tsx'
import { useShareWords } from './share-words.ts'
import { type NewShare, recipientOf } from './use-sharing.ts'

type ShareListProps = {
  shares: Shares
  /** Recipients that can get the right to edit. */
  editors: readonly RecipientKind[]
  isBusy: boolean
  onShare: (share: NewShare) => void
  onRemove: (share: Share) => void
}

/** The shares of a thing. One that was ended here stays with a button that shares it again. */
export function ShareList({ shares: { items, may }, editors, isBusy, onShare, onRemove }: ShareListProps) {
  const { t } = useTranslation('sharing')
  const [ended, setEnded] = useState<Share[]>([])
  const everybody = items.find(({ who }) => who === 'everybody')
  const named = items.filter(({ who }) => who !== 'everybody' || !may.everybody)
  const gone = ended.filter((one) => one.who !== 'everybody' && !items.some((item) => isSame(item, one)))
  const remove = (share: Share) => {
    setEnded((before) => [...before.filter((one) => !isSame(one, share)), share])
    onRemove(share)
  }
  const isNobody = named.length === 0 && gone.length === 0 && !everybody
  return (
    <div className="grid gap-2">
      <h3 className="text-13 font-medium">{t('with')}</h3>
      <ul className="divide-y divide-line rounded-card border border-line">
        {may.everybody && (
          <RecipientRow who="everybody" name={t('everybody')} detail={t('everybody_text')}>
            <Switch
              aria-label={t('everybody')}
              checked={everybody !== undefined}
              disabled={isBusy}
              onCheckedChange={(isOn) => {
                if (isOn) onShare({ recipient: { who: 'everybody' }, access: 'use' })
                else if (everybody) onRemove(everybody)
              }}
            />
          </RecipientRow>
        )}
        {named.map((share) => (
          <ShareRow
            key={share.id}
            {...{ share, editors, isBusy, onShare }}
            onRemove={share.can_remove ? () => remove(share) : null}
          />
        ))}
        {gone.map((share) => (
          <EndedRow key={share.id} {...{ share, isBusy, onShare }} />
        ))}
        {isNobody && <li className="px-3.5 py-3 text-13 text-ink-2">{t('nobody')}</li>}
      </ul>
    </div>
  )
}

const isSame = (one: Share, other: Share) =>
  one.id === other.id ||
  (one.who === other.who && one.recipient_id !== null && one.recipient_id === other.recipient_id)

type ShareRowProps = {
  share: Share
  editors: readonly RecipientKind[]
  isBusy: boolean
  onShare: (share: NewShare) => void
  onRemove: (() => void) | null
}

function ShareRow({ share, editors, isBusy, onShare, onRemove }: ShareRowProps) {
  const { t } = useTranslation('sharing')
  const { name, detail } = useShareWords(share)
  const recipient = recipientOf(share)
  const isChosen = editors.includes(share.who) && onRemove && recipient
  return (
    <RecipientRow who={share.who} name={name} detail={detail}>
      {isChosen ? (
        <Select
          size="sm"
          aria-label={t('access_of', { name })}
          value={share.access}
          disabled={isBusy}
          options={Access.options.map((value) => ({ value, label: t(`access.${value}`) }))}
          onValueChange={(value) => onShare({ recipient, access: Access.parse(value) })}
        />
      ) : (
        <span className="text-13 text-ink-2">{t(`access.${share.access}`)}</span>
      )}
      {onRemove && (
        <IconButton name={t('remove', { name })} size="sm" disabled={isBusy} onClick={onRemove}>
          <X aria-hidden className="icon-14" />
        </IconButton>
      )}
    </RecipientRow>
  )
}

type EndedRowProps = Pick<ShareRowProps, 'share' | 'isBusy' | 'onShare'>

function EndedRow({ share, isBusy, onShare }: EndedRowProps) {
  const { t } = useTranslation('sharing')
  const { name } = useShareWords(share)
  const recipient = recipientOf(share)
  return (
    <RecipientRow who={share.who} name={name} detail={t('ended')} isQuiet>
      {recipient && (
        <Button
          size="sm"
          disabled={isBusy}
          aria-label={t('undo_of', { name })}
          icon={<Undo2 aria-hidden className="icon-14" />}
          onClick={() => onShare({ recipient, access: share.access })}
        >
          {t('undo')}
        </Button>
      )}
    </RecipientRow>
  )
}
