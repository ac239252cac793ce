import { useNavigate } from '@tanstack/react-router'
import { BookmarkPlus } from 'lucide-react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useIsOpen } from '../../platform/lib/me/me.ts'
import { IconButton } from '../../platform/ui/icon-button.tsx'

/** Opens the form of a new prompt with the text of a message. */
export function SavePromptButton({ read }: { read: () => string }) {
  const { t } = useTranslation('streaming_blocks')
  const navigate = useNavigate()
  const isShown = useIsOpen('prompts')
  if (!isShown) return null
  const open = () => void navigate({ to: '/prompts/create', state: { promptText: read() } })
  return (
    <IconButton name={t('prompt.save')} size="sm" onClick={open}>
      <BookmarkPlus aria-hidden className="icon" />
    </IconButton>
  )
}
