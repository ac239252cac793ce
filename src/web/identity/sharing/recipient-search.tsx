import { Search } from 'lucide-react'
import { type KeyboardEvent, useId, useState } from 'react'
import type { FoundRecipient, Recipient, RecipientKind } from '#shared/identity/sharing/sharing.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { isComposing } from '../../platform/lib/enter-key.ts'
import { Input } from '../../platform/ui/input.tsx'
import { RecipientIcon } from './recipient-row.tsx'
import { useRecipients } from './use-sharing.ts'

type Named = { who: RecipientKind; recipient_id: string | null }
type RecipientSearchProps = {
  /** Recipients that are not offered again. */
  shares: readonly Named[]
  /** Kinds that are offered. */
  kinds?: readonly FoundRecipient['who'][]
  /** Offers projects too. */
  withProjects?: boolean
  /** Name of the field; by default it names companies, groups and people. */
  label?: string
  onChoose: (recipient: Recipient, found: FoundRecipient) => void
}

/** Finds companies, groups and people by name. Enter chooses the marked one. */
export function RecipientSearch({
  shares,
  kinds,
  withProjects = false,
  label,
  onChoose,
}: RecipientSearchProps) {
  const { t } = useTranslation('sharing')
  const id = useId()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const { data, error, isSettled } = useRecipients(typed, withProjects)
  const isTyped = typed.trim() !== ''
  const isOffered = (one: FoundRecipient) => !isShared(shares, one) && (kinds?.includes(one.who) ?? true)
  const found = isTyped ? (data?.items ?? []).filter(isOffered) : []
  const current = Math.min(at, found.length - 1)
  const choose = (one: FoundRecipient) => {
    setTyped('')
    setAt(0)
    onChoose({ who: one.who, id: one.id }, one)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event) || !isTyped) return
    const marked = found[current]
    if (event.key === 'Enter' && marked && isSettled) choose(marked)
    else if (event.key === 'ArrowDown') setAt(Math.min(found.length - 1, current + 1))
    else if (event.key === 'ArrowUp') setAt(Math.max(0, current - 1))
    else if (event.key === 'Escape') setTyped('')
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="grid gap-2">
      <Input
        role="combobox"
        aria-label={label ?? t('find')}
        aria-expanded={found.length > 0}
        aria-controls={`${id}-found`}
        aria-activedescendant={found.length > 0 ? `${id}-${current}` : undefined}
        aria-autocomplete="list"
        placeholder={label ?? t('find')}
        icon={<Search aria-hidden />}
        maxLength={200}
        autoComplete="off"
        enterKeyHint="search"
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div
        id={`${id}-found`}
        role="listbox"
        aria-label={t('found')}
        hidden={found.length === 0}
        className="max-h-64 overflow-y-auto rounded-card border border-line p-1"
      >
        {found.map((one, index) => (
          <FoundOption
            key={one.id}
            id={`${id}-${index}`}
            found={one}
            isMarked={index === current}
            onMark={() => setAt(index)}
            onChoose={() => choose(one)}
          />
        ))}
      </div>
      <p role="status" className="text-12 text-ink-3 empty:hidden">
        {isTyped && error && errorText(t, error)}
        {isTyped && isSettled && data && found.length === 0 && t('no_match', { query: typed.trim() })}
        {isTyped && data?.has_more && found.length > 0 && t('more')}
      </p>
    </div>
  )
}

const isShared = (shares: readonly Named[], { who, id }: FoundRecipient) =>
  shares.some((share) => share.who === who && share.recipient_id === id)

type FoundOptionProps = {
  id: string
  found: FoundRecipient
  isMarked: boolean
  onMark: () => void
  onChoose: () => void
}

function FoundOption({ id, found: { who, name, detail }, isMarked, onMark, onChoose }: FoundOptionProps) {
  const { t } = useTranslation('sharing')
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and the keys.
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isMarked}
      className="flex min-h-11 cursor-pointer items-center gap-3 rounded-row px-2.5 py-1.5 aria-selected:bg-surface-2"
      onMouseMove={onMark}
      onClick={onChoose}
    >
      <RecipientIcon who={who} />
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block text-13 font-medium wrap-anywhere">
          {name}
        </span>
        <span className="block text-12 text-ink-3 wrap-anywhere">
          {who === 'group' && detail ? t('group_of', { company: detail }) : (detail ?? t(who))}
        </span>
      </span>
    </div>
  )
}
