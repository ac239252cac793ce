import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { errorText } from '../../i18n/error-text.ts'
import { useTranslation } from '../../i18n/i18n.ts'
import { Callout } from '../callout.tsx'
import { toast } from '../toasts/toasts.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

type Named = { id: string; name: string }

type RevocableListProps<Item extends Named> = {
  items: readonly Item[]
  revoke: (item: Item) => Promise<unknown>
  /** Called after each attempt, even a failed one. */
  onChanged: () => void
  words: {
    title: (name: string) => string
    text: string
    confirm: string
    done: (name: string) => string
    failed: string
  }
  /** A row of an item, which requests its revocation. */
  children: (item: Item, onRevoke: () => void) => ReactNode
}

/** Items that grant access, each with a button to revoke it after a confirmation. */
export function RevocableList<Item extends Named>({
  items,
  revoke,
  onChanged,
  words,
  children,
}: RevocableListProps<Item>) {
  const { t } = useTranslation('common')
  const [asked, setAsked] = useState<Item | null>(null)
  const revoking = useMutation({
    mutationFn: revoke,
    onSuccess: (_, { name }) => toast.success(words.done(name)),
    onSettled: () => {
      setAsked(null)
      onChanged()
    },
  })
  return (
    <>
      <ul className="divide-y divide-line rounded-card border border-line">
        {items.map((item) => children(item, () => setAsked(item)))}
      </ul>
      {revoking.error && (
        <Callout tone="danger" title={words.failed}>
          {errorText(t, revoking.error)}
        </Callout>
      )}
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={(isOpen) => !isOpen && setAsked(null)}
        title={words.title(asked?.name ?? '')}
        message={words.text}
        confirmLabel={words.confirm}
        busy={revoking.isPending}
        onConfirm={() => asked && revoking.mutate(asked)}
      />
    </>
  )
}
