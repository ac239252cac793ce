import { Upload } from 'lucide-react'
import type { Document } from '#shared/knowledge/documents/documents.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useMe } from '../../../platform/lib/me/me.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Dialog } from '../../../platform/ui/overlays/dialog.tsx'
import { EmptyState } from '../../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { addFiles, askForFiles, type FoundFile } from '../../uploads/uploads.ts'
import { useRestore, useVersions } from './use-versions.ts'
import { VersionRow } from './version-row.tsx'

type Props = { document: Document; onOpen: (version: number) => void; onClose: () => void }

/** The versions of a document by time and size; one can be opened or restored, or a newer file uploaded. */
export function VersionsDialog({ document, onOpen, onClose }: Props) {
  const { t } = useTranslation('documents')
  const { data, isError, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useVersions(document.id)
  const restore = useRestore(document, onClose)
  const versions = data?.pages.flatMap(({ items }) => items) ?? []
  const isMine = useMe()?.id === document.user_id
  const replace = (found: FoundFile[]) => {
    addFiles(found, { documentId: document.id })
    onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      size="md"
      title={t('versions.title')}
      description={t('versions.about')}
      footer={
        isMine && (
          <Button
            icon={<Upload aria-hidden className="icon" />}
            onClick={() => askForFiles(replace, { isOne: true })}
          >
            {t('versions.replace')}
          </Button>
        )
      }
    >
      {isError && (
        <EmptyState
          title={t('versions.failed')}
          action={<Button onClick={() => void refetch()}>{t('common:actions.retry')}</Button>}
        />
      )}
      {!data && !isError && <Skeletons className="mt-3 grid gap-2" sizes={['h-14 w-full', 'h-14 w-full']} />}
      <ul className="mt-3 divide-y divide-line rounded-card border border-line empty:hidden">
        {versions.map((version, at) => (
          <VersionRow
            key={version.version}
            version={version}
            before={versions[at + 1]}
            isShown={version.version === document.version}
            isRestoring={restore.isPending && restore.variables === version.version}
            onOpen={() => onOpen(version.version)}
            onRestore={isMine ? () => restore.mutate(version.version) : null}
          />
        ))}
      </ul>
      {hasNextPage && (
        <Button wide className="mt-2" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('versions.more')}
        </Button>
      )}
    </Dialog>
  )
}
