import { Link } from '@tanstack/react-router'
import { ChevronDown, FolderInput, Lock, Users } from 'lucide-react'
import type { Session, SessionProject } from '#shared/chat/sessions/sessions.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Menu } from '../../platform/ui/overlays/menu.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { ProjectLook } from './looks.tsx'
import { askToMove } from './moving.ts'
import { shareChat } from './place.ts'

type ProjectBadgeProps = { session: Session; project: SessionProject }

/** The project of a chat as a link, and who may read the chat. */
export function ProjectBadge({ session, project }: ProjectBadgeProps) {
  const { t } = useTranslation('projects')
  return (
    <>
      <Link
        to="/project/$projectId/{-$tab}"
        params={{ projectId: project.id, tab: undefined }}
        aria-label={t('badge.open', { name: project.name })}
        className="inline-flex h-7 max-w-56 min-w-0 items-center gap-1.5 rounded-control px-1.5 text-13 text-ink-2 hover:bg-surface-2 hover:text-ink"
      >
        <ProjectLook {...project} className="icon-14" />
        <span dir="auto" className="truncate">
          {project.name}
        </span>
      </Link>
      {project.author === null ? (
        <ShareMenu session={session} isShared={project.is_shared} isArchived={project.is_archived === true} />
      ) : (
        <span className="inline-flex h-7 items-center gap-1.5 text-12 text-ink-2">
          <Users aria-hidden className="icon-14" />
          {t('chats.by', { name: project.author })}
        </span>
      )}
    </>
  )
}

type ShareMenuProps = { session: Session; isShared: boolean; isArchived: boolean }

/** Shares the chat with its project, ends that, or moves it. */
function ShareMenu({ session, isShared, isArchived }: ShareMenuProps) {
  const { t } = useTranslation('projects')
  const Icon = isShared ? Users : Lock
  const share = () => shareChat(session.id, !isShared).catch((error) => toast.error(errorText(t, error)))
  return (
    <Menu
      entries={[
        { kind: 'heading', label: t(isShared ? 'badge.shared_text' : 'badge.private_text') },
        ...(isArchived
          ? []
          : [
              {
                label: t(isShared ? 'badge.unshare' : 'badge.share'),
                icon: isShared ? <Lock aria-hidden /> : <Users aria-hidden />,
                onSelect: () => void share(),
              },
            ]),
        {
          label: t('badge.move'),
          icon: <FolderInput aria-hidden />,
          onSelect: () => askToMove([session.id]),
        },
      ]}
      trigger={
        <Button
          variant="ghost"
          size="sm"
          aria-label={t(isShared ? 'badge.shared' : 'badge.private')}
          icon={<Icon aria-hidden className="icon-14" />}
        >
          {t(isShared ? 'chats.members' : 'chats.only_you')}
          <ChevronDown aria-hidden className="icon-12" />
        </Button>
      }
    />
  )
}
