import { FolderPlus } from 'lucide-react'
import { useState } from 'react'
import { type Document, uploadDocuments } from '#shared/knowledge/documents/documents.ts'
import { DocumentLink } from '../../web/platform/citations/citations.ts'
import { call } from '../../web/platform/lib/api/call.ts'
import { useTranslation } from '../../web/platform/ui/card-parts.ts'
import { IconButton } from '../../web/platform/ui/icon-button.tsx'
import { toast } from '../../web/platform/ui/toasts/toasts.ts'

/** Ids of documents made from files, by the files' addresses, so that a remounted card knows them. */
const kept = new Map<string, string>()

/** The id of a file in its address. */
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/

type KeepButtonProps = {
  /** Null for a file that cannot be fetched. */
  address: string | null
  name: string
  bytes: () => Promise<Blob>
}

/** Saves a file to the library, where it can be previewed, searched and used by other tools; then links to it. */
export function KeepButton({ address, name, bytes }: KeepButtonProps) {
  const { t } = useTranslation('tool_ui')
  const [documentId, setDocumentId] = useState(() => kept.get(address ?? '') ?? null)
  const [isBusy, setBusy] = useState(false)
  if (address === null) return null
  if (documentId !== null)
    return (
      <DocumentLink documentId={documentId} className="text-13 font-medium text-accent hover:underline">
        {t('code_interpreter.preview')}
      </DocumentLink>
    )
  const keep = async () => {
    setBusy(true)
    try {
      const form = new FormData()
      const [made] = UUID.exec(address) ?? []
      // The document gets the class of what the reply was made from.
      if (made) form.set('media_id', made)
      form.set('file', await bytes(), name)
      const answer = await call(uploadDocuments, { form })
      const { id } = Array.isArray(answer) ? (answer[0] as Document) : answer
      kept.set(address, id)
      setDocumentId(id)
    } catch {
      void toast.error(t('code_interpreter.not_kept'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <IconButton
      name={t('code_interpreter.keep', { name })}
      size="sm"
      disabled={isBusy}
      onClick={() => void keep()}
    >
      <FolderPlus aria-hidden className="icon" />
    </IconButton>
  )
}
