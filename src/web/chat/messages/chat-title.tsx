import { lazy, Suspense, useState } from 'react'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'

const TitleField = lazy(() => import('./title-field.tsx'))

/** The title of the chat; a click turns it into a field. */
export function ChatTitle({ session, title }: { session: Session; title: string }) {
  const { t } = useTranslation('common')
  const [isRenaming, setRenaming] = useState(false)
  const button = (
    <button
      type="button"
      data-tip={t('history.edit')}
      dir="auto"
      className="max-w-full rounded-control px-1.5 py-0.5 text-start hover:bg-surface-2 md:block md:truncate max-md:line-clamp-2"
      onClick={() => setRenaming(true)}
    >
      {title}
    </button>
  )
  if (!isRenaming) return button
  return (
    <Suspense fallback={button}>
      <TitleField key={session.id} session={session} title={title} onEnd={() => setRenaming(false)} />
    </Suspense>
  )
}
