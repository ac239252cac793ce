import { Link, useNavigate } from '@tanstack/react-router'
import { Copy, Ellipsis, MessageSquare, Share2, SquarePen, TextCursorInput, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { ListedAssistant } from '#shared/chat/assistants/assistants.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useIsOpen } from '../../../platform/lib/me/me.ts'
import { modelLabel } from '../../../platform/lib/models/model-label.ts'
import { Badge } from '../../../platform/ui/badge.tsx'
import { Button } from '../../../platform/ui/button.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { ContextMenu, Menu } from '../../../platform/ui/overlays/menu.tsx'
import type { MenuEntry } from '../../../platform/ui/overlays/menu-entry.ts'
import { AssistantIcon } from '../assistant-icon.tsx'
import { RenameAssistant } from '../rename-assistant.tsx'
import { duplicate } from '../save.ts'
import { ShareAssistant } from '../share-assistant.tsx'
import { useStartWith } from '../start-with.ts'

type Opened = 'rename' | 'share'
type AssistantCardProps = { assistant: ListedAssistant; onDelete: () => void }

/** An assistant in the list: description, facts, and a button to chat. */
export function AssistantCard(props: AssistantCardProps) {
  const { assistant } = props
  const { t } = useTranslation(['assistant', 'streaming_blocks'])
  const { id, name, description, icon, agent_type, model_name, status } = assistant
  const { start, isStarting } = useStartWith()
  const [open, setOpen] = useState<Opened | null>(null)
  const entries = useEntries(props, setOpen)
  const way = t(`streaming_blocks:agent.${agent_type}.name`)
  return (
    <>
      <ContextMenu entries={entries}>
        <li className="relative flex min-h-[186px] flex-col rounded-card border border-line p-4 hover-motion hover:border-line-2 hover:bg-surface">
          <div className="flex items-start gap-3">
            <span className="inline-grid size-10 flex-none place-items-center rounded-card bg-surface-2 text-ink-2">
              <AssistantIcon name={icon} className="icon-18" />
            </span>
            <div className="min-w-0 flex-1">
              <h2 dir="auto" className="truncate text-14 font-semibold">
                <Link
                  to="/assistant/$assistantId"
                  params={{ assistantId: id }}
                  className="after:absolute after:inset-0 after:rounded-card"
                >
                  {name}
                </Link>
              </h2>
              <p className="truncate text-12 text-ink-3">
                {model_name ? `${way} · ${modelLabel(model_name, t)}` : way}
              </p>
            </div>
            <Menu
              align="end"
              trigger={
                <IconButton name={t('more_of', { name })} size="sm" className="relative z-1 -mt-1 -mr-1">
                  <Ellipsis aria-hidden className="icon" />
                </IconButton>
              }
              entries={entries}
            />
          </div>
          <p dir="auto" className="mt-3 mb-4 line-clamp-2 text-13 leading-5 text-ink-2">
            {description || t('no_description')}
          </p>
          <div className="mt-auto flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1 border-t border-line pt-3 text-12 text-ink-2">
            <ToolCount count={assistant.tool_count} />
            {assistant.document_count > 0 && (
              <span>{t('documents', { count: assistant.document_count })}</span>
            )}
            {status === 'draft' && <Badge tone="line">{t('draft')}</Badge>}
            {assistant.own && assistant.shared && <span>{t('is_shared')}</span>}
            {assistant.shared_by && <span>{t('shared_by', { name: assistant.shared_by })}</span>}
            <Button
              size="sm"
              className="relative z-1 ml-auto"
              busy={isStarting}
              aria-label={t('chat_with', { name })}
              icon={<MessageSquare aria-hidden className="icon-14" />}
              onClick={() => start(assistant)}
            >
              {t('chat')}
            </Button>
          </div>
        </li>
      </ContextMenu>
      {open === 'rename' && <RenameAssistant assistant={assistant} onClose={() => setOpen(null)} />}
      {open === 'share' && <ShareAssistant assistant={assistant} onClose={() => setOpen(null)} />}
    </>
  )
}

function ToolCount({ count }: { count: number | null }) {
  const { t } = useTranslation('assistant')
  if (count === null) return <span>{t('tools.all_short')}</span>
  return <span>{count === 0 ? t('tools.none') : t('tools.count', { count })}</span>
}

/** Other actions on an assistant. */
function useEntries(
  { assistant, onDelete }: AssistantCardProps,
  onOpen: (what: Opened) => void,
): MenuEntry[] {
  const { t } = useTranslation('assistant')
  const navigate = useNavigate()
  const mayCreate = useIsOpen('create_assistant')
  const { id, own, can_edit, can_share } = assistant
  const edit = (assistantId: string) =>
    void navigate({ to: '/assistant/$assistantId/edit/{-$section}', params: { assistantId } })
  const copy = () =>
    duplicate(id).then(
      (made) => edit(made.id),
      () => {},
    )
  const change: MenuEntry[] = [
    { label: t('edit'), icon: <SquarePen aria-hidden />, onSelect: () => edit(id) },
    { label: t('rename.label'), icon: <TextCursorInput aria-hidden />, onSelect: () => onOpen('rename') },
  ]
  const share: MenuEntry = {
    label: t('common:actions.share'),
    icon: <Share2 aria-hidden />,
    onSelect: () => onOpen('share'),
  }
  const remove: MenuEntry = {
    label: t('common:actions.delete'),
    icon: <Trash2 aria-hidden />,
    tone: 'danger',
    onSelect: onDelete,
  }
  return [
    ...(can_edit ? change : []),
    ...(can_share ? [share] : []),
    ...(mayCreate
      ? [{ label: t('duplicate'), icon: <Copy aria-hidden />, onSelect: () => void copy() }]
      : []),
    ...(own ? [remove] : []),
  ]
}
