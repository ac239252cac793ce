import type { ReactNode } from 'react'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Dialog } from '../../platform/ui/overlays/dialog.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { RecipientSearch } from './recipient-search.tsx'
import { ShareList } from './share-list.tsx'
import { editorsOf, type Shareable, useChangeShares, useShares } from './use-sharing.ts'

export type ShareDialogProps = {
  thing: Shareable
  /** Tells what people it is shared with can and cannot do. */
  note: string
  /** Another action at the start of the footer. */
  action?: ReactNode
  onClose: () => void
}

/** Lists and changes the shares of a thing. Every change is saved immediately. */
export default function ShareDialog({ thing, note, action, onClose }: ShareDialogProps) {
  const { t } = useTranslation('sharing')
  const { data, error, refetch } = useShares(thing)
  const { add, remove } = useChangeShares(thing)
  const problem = add.error ?? remove.error
  const isAllowed = data?.may.everybody || data?.may.others || data?.may.projects
  return (
    <Dialog
      open
      atTop
      size="md"
      onOpenChange={(isOpen) => isOpen || onClose()}
      title={t('title', { name: thing.name })}
      footer={
        <>
          <span className="flex-1">{action}</span>
          <Button variant="primary" onClick={onClose}>
            {t('done')}
          </Button>
        </>
      }
    >
      <div className="mt-2 grid gap-4">
        {data && !isAllowed && <Callout tone="neutral">{t('not_allowed')}</Callout>}
        {data && isAllowed && (
          <RecipientSearch
            shares={data.items}
            withProjects={data.may.projects}
            {...(data.may.projects && { label: t(data.may.others ? 'find_all' : 'find_project') })}
            onChoose={(recipient) => add.mutate({ recipient, access: 'use' })}
          />
        )}
        {problem && (
          <Callout tone="danger" title={t('failed')}>
            {errorText(t, problem)}
          </Callout>
        )}
        {error && !data && (
          <Callout
            tone="danger"
            title={t('unreadable')}
            action={
              <Button size="sm" onClick={() => void refetch()}>
                {t('common:actions.retry')}
              </Button>
            }
          >
            {errorText(t, error)}
          </Callout>
        )}
        {!data && !error && <Skeletons className="grid gap-2" sizes={['h-9', 'h-28 rounded-card']} />}
        {data && (
          <ShareList
            shares={data}
            editors={editorsOf(thing)}
            isBusy={add.isPending || remove.isPending}
            onShare={add.mutate}
            onRemove={remove.mutate}
          />
        )}
        <p className="text-13 text-ink-2">{note}</p>
      </div>
    </Dialog>
  )
}
