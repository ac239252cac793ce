import { Copy, Download, Ellipsis, FileSearch2, History, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Document } from '#shared/knowledge/documents/documents.ts'
import { loadTexts, useTranslation } from '../../platform/i18n/i18n.ts'
import { useMe } from '../../platform/lib/me/me.ts'
import { isSuperAdmin } from '../../platform/lib/me/roles.ts'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { Menu } from '../../platform/ui/overlays/menu.tsx'
import { download } from '../documents/documents.ts'
import { copyRead } from './copy-read.ts'
import { DeleteDocument } from './delete-document.tsx'
import type { Mode } from './view-modes.tsx'

const DocumentDebug = lazy(async () => {
  const [file] = await Promise.all([import('../document-debug/document-debug.tsx'), loadTexts('vectors')])
  return { default: file.DocumentDebug }
})

const VersionsDialog = lazy(async () => {
  const file = await import('./versions/versions-dialog.tsx')
  return { default: file.VersionsDialog }
})

type PreviewActionsProps = {
  document: Document
  mode: Mode | null
  /** The workspace in which it was opened; removing affects only that one. */
  workspaceId: string | null
  /** Shows a version; null is the newest. */
  onVersion: (version: number | null) => void
  onLeave: () => void
}

/** Actions on a document: copy its text, save it, show its versions, delete it. */
export function PreviewActions({ document, mode, workspaceId, ...ways }: PreviewActionsProps) {
  const { onVersion, onLeave } = ways
  const { t } = useTranslation('documents')
  const [isAsking, setAsking] = useState(false)
  const [showsVersions, setShowsVersions] = useState(false)
  const [isDebugging, setDebugging] = useState(false)
  const mayDebug = isSuperAdmin(useMe())
  const actions = [
    { label: t('preview.copy'), Icon: Copy, onSelect: () => void copyRead(t, document, mode) },
    { label: t('card.download'), Icon: Download, onSelect: () => void download(t, document) },
    { label: t('versions.title'), Icon: History, onSelect: () => setShowsVersions(true) },
    ...(mayDebug
      ? [{ label: t('preview.debug'), Icon: FileSearch2, onSelect: () => setDebugging(true) }]
      : []),
    { label: t('card.delete'), Icon: Trash2, onSelect: () => setAsking(true) },
  ]
  return (
    <>
      {actions.map(({ label, Icon, onSelect }) => (
        <IconButton key={label} name={label} className="max-md:hidden" onClick={onSelect}>
          <Icon aria-hidden className="icon-18" />
        </IconButton>
      ))}
      <Menu
        align="end"
        trigger={
          <IconButton name={t('card.menu', { name: document.name })} className="md:hidden">
            <Ellipsis aria-hidden className="icon-18" />
          </IconButton>
        }
        entries={actions.map(({ label, Icon, onSelect }) => ({
          label,
          icon: <Icon aria-hidden />,
          onSelect,
        }))}
      />
      {isDebugging && (
        <Suspense>
          <DocumentDebug document={document} onClose={() => setDebugging(false)} />
        </Suspense>
      )}
      {showsVersions && (
        <Suspense>
          <VersionsDialog
            document={document}
            onOpen={(version) => {
              setShowsVersions(false)
              onVersion(version === document.newest_version ? null : version)
            }}
            onClose={() => setShowsVersions(false)}
          />
        </Suspense>
      )}
      <DeleteDocument
        document={document}
        workspaceId={workspaceId}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onDeleted={onLeave}
      />
    </>
  )
}
