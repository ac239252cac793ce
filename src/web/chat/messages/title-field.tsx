import { lazy } from 'react'
import { renameSession, type Session } from '#shared/chat/sessions/sessions.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { loadRenameField, noteSession } from '../../runs/sessions/sessions.ts'

const RenameField = lazy(() => loadRenameField().then((file) => ({ default: file.RenameField })))

type TitleFieldProps = { session: Session; title: string; onEnd: () => void }

/** The title of the chat as a field. The new one shows at once, and the old one again when the server refuses. */
export default function TitleField({ session: { id, title: before }, title, onEnd }: TitleFieldProps) {
  const { t } = useTranslation('common')
  const rename = (next: string) => {
    noteSession(id, { title: next })
    call(renameSession, { params: { sessionId: id }, body: { title: next } }).catch(() => {
      noteSession(id, { title: before })
      toast.error(t('history.rename_failed'))
    })
  }
  return (
    <span className="relative block w-72 max-w-full pl-1">
      <RenameField
        title={title}
        hasCount={false}
        onEnd={(next) => {
          onEnd()
          if (next !== null) rename(next)
        }}
      />
    </span>
  )
}
