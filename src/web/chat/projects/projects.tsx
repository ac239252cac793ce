import { lazy, Suspense } from 'react'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import { loadTexts } from '../../platform/i18n/i18n.ts'
import { useMoving } from './moving.ts'

export { askToMove } from './moving.ts'
export { ProjectsPlace } from './sidebar/section-place.tsx'

const Badge = lazy(async () => {
  const [file] = await Promise.all([import('./project-badge.tsx'), loadTexts('projects')])
  return { default: file.ProjectBadge }
})
const Dialog = lazy(async () => {
  const [file] = await Promise.all([import('./move/move-dialog.tsx'), loadTexts('projects')])
  return { default: file.MoveDialog }
})

/** The project of a chat in its header. */
export function ChatProject({ session }: { session: Session | null }) {
  if (!session?.project) return null
  return (
    <Suspense fallback={<span className="h-7 w-56" />}>
      <Badge session={session} project={session.project} />
    </Suspense>
  )
}

/** The dialog that moves chats, while it is open. */
export function MoveChats() {
  const moving = useMoving((state) => state.moving)
  if (!moving) return null
  return (
    <Suspense>
      <Dialog key={moving.ids.join()} {...moving} />
    </Suspense>
  )
}
