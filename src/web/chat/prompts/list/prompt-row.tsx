import { Link, useNavigate } from '@tanstack/react-router'
import { Copy, Download, Ellipsis, MessageSquare, SquarePen, Trash2 } from 'lucide-react'
import type { ListedPrompt } from '#shared/chat/prompts/prompts.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { Menu } from '../../../platform/ui/overlays/menu.tsx'
import type { MenuEntry } from '../../../platform/ui/overlays/menu-entry.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { duplicate, exportToFile } from '../prompt-actions.ts'
import { useStartWithPrompt } from '../start-with-prompt.ts'

type PromptRowProps = { prompt: ListedPrompt; onDelete: () => void }

/** A prompt in the list: name, command and beginning, with a button that opens it in a chat. */
export function PromptRow({ prompt, onDelete }: PromptRowProps) {
  const { t } = useTranslation('prompts')
  const { id, name, command, beginning, field_count, own, shared, shared_by } = prompt
  const { start, isStarting } = useStartWithPrompt()
  const entries = useEntries(prompt, onDelete)
  const origin = shared_by ? t('shared_by', { name: shared_by }) : own && shared ? t('is_shared') : null
  return (
    <li className="relative flex items-center gap-3 px-4 py-3 [content-visibility:auto] [contain-intrinsic-size:auto_66px] hover-motion hover:bg-surface">
      <div className="min-w-0 flex-1">
        <h2 className="flex min-w-0 items-baseline gap-2">
          <Link
            to="/prompts/$promptId"
            params={{ promptId: id }}
            dir="auto"
            className="truncate text-14 font-medium after:absolute after:inset-0"
          >
            {name}
          </Link>
          <span className="truncate font-mono text-12 text-ink-3">/{command}</span>
        </h2>
        <p dir="auto" className="truncate text-13 text-ink-2">
          {beginning}
        </p>
      </div>
      <span className="grid flex-none justify-items-end text-12 text-ink-3 max-md:hidden">
        <span>{t('fields', { count: field_count })}</span>
        {origin && <span>{origin}</span>}
      </span>
      <Button
        size="sm"
        className="relative z-1 max-md:hidden"
        busy={isStarting}
        aria-label={t('use_named', { name })}
        icon={<MessageSquare aria-hidden className="icon-14" />}
        onClick={() => start(id)}
      >
        {t('use')}
      </Button>
      <Menu
        align="end"
        trigger={
          <IconButton name={t('more_of', { name })} size="sm" className="relative z-1">
            <Ellipsis aria-hidden className="icon" />
          </IconButton>
        }
        entries={[
          { label: t('use'), icon: <MessageSquare aria-hidden />, onSelect: () => start(id) },
          ...entries,
        ]}
      />
    </li>
  )
}

function useEntries({ id, can_edit, can_share }: ListedPrompt, onDelete: () => void): MenuEntry[] {
  const { t } = useTranslation('prompts')
  const navigate = useNavigate()
  const open = (promptId: string) => void navigate({ to: '/prompts/$promptId', params: { promptId } })
  const copy = () =>
    duplicate(id).then(
      (made) => open(made.id),
      (error) => void toast.error(errorText(t, error)),
    )
  const edit: MenuEntry = { label: t('edit'), icon: <SquarePen aria-hidden />, onSelect: () => open(id) }
  const remove: MenuEntry = {
    label: t('common:actions.delete'),
    icon: <Trash2 aria-hidden />,
    tone: 'danger',
    onSelect: onDelete,
  }
  return [
    ...(can_edit ? [edit] : []),
    { label: t('duplicate'), icon: <Copy aria-hidden />, onSelect: () => void copy() },
    {
      label: t('transfer.export'),
      icon: <Download aria-hidden />,
      onSelect: () => void exportToFile(t, [id]),
    },
    ...(can_share ? [remove] : []),
  ]
}
