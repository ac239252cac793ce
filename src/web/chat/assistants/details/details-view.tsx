import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { Copy, Download, Ellipsis, MessageSquare, SquarePen, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Assistant } from '#shared/chat/assistants/assistants.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useIsOpen } from '../../../platform/lib/me/me.ts'
import { Badge } from '../../../platform/ui/badge.tsx'
import { Button, buttonLook } from '../../../platform/ui/button.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { Menu } from '../../../platform/ui/overlays/menu.tsx'
import { View } from '../../../platform/ui/view.tsx'
import { AssistantIcon } from '../assistant-icon.tsx'
import { BackLink } from '../back-link.tsx'
import { DeleteAssistant } from '../delete-assistant.tsx'
import { OneAssistant } from '../one-assistant.tsx'
import { duplicate } from '../save.ts'
import { ShareAssistantButton } from '../share-assistant.tsx'
import { useStartWith } from '../start-with.ts'
import { exportToFile } from '../transfer.tsx'
import { Missing } from './missing.tsx'
import { Examples, Facts, Files, Instructions, Tools } from './parts.tsx'

/** The page of an assistant: instructions, tools, sources and starters. */
export function DetailsView() {
  const { assistantId = '' } = useParams({ strict: false }) as { assistantId?: string }
  return (
    <OneAssistant id={assistantId} needs="read">
      {(assistant) => <Details key={assistant.id} assistant={assistant} />}
    </OneAssistant>
  )
}

function Details({ assistant }: { assistant: Assistant }) {
  const { t } = useTranslation('assistant')
  const { start, isStarting } = useStartWith()
  const { name, description, icon, status } = assistant
  return (
    <View
      title={name}
      badges={
        <>
          {status === 'draft' && <Badge tone="line">{t('draft')}</Badge>}
          {assistant.built_in && <Badge tone="line">{t('is_built_in')}</Badge>}
          {assistant.own && assistant.shared && <Badge tone="line">{t('is_shared')}</Badge>}
          {assistant.shared_by && <Badge tone="line">{t('shared_by', { name: assistant.shared_by })}</Badge>}
        </>
      }
      actions={<Actions assistant={assistant} />}
    >
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto max-w-[688px] px-6 pb-16 max-md:px-4">
          <BackLink />
          <div className="flex items-start gap-4">
            <span className="inline-grid size-12 flex-none place-items-center rounded-card bg-surface-2 text-ink-2">
              <AssistantIcon name={icon} className="icon-20" />
            </span>
            <div className="min-w-0 flex-1">
              <h2 className="text-22 font-semibold tracking-[-0.02em] break-words">{name}</h2>
              <p className="mt-1 text-14 text-ink-2">{description || t('no_description')}</p>
            </div>
          </div>
          <Button
            variant="primary"
            className="mt-5"
            busy={isStarting}
            icon={<MessageSquare aria-hidden className="icon" />}
            onClick={() => start(assistant)}
          >
            {t('chat_with', { name })}
          </Button>
          {!assistant.built_in && <Missing assistant={assistant} />}
          <Facts assistant={assistant} />
          <Examples assistant={assistant} onChoose={(text) => start(assistant, text)} />
          <Instructions assistant={assistant} />
          <Files assistant={assistant} />
          <Tools assistant={assistant} />
        </div>
      </div>
    </View>
  )
}

function Actions({ assistant }: { assistant: Assistant }) {
  const { t } = useTranslation('assistant')
  const navigate = useNavigate()
  const mayCreate = useIsOpen('create_assistant')
  const [isDoomed, setDoomed] = useState(false)
  const edit = (assistantId: string) =>
    navigate({ to: '/assistant/$assistantId/edit/{-$section}', params: { assistantId } })
  const copy = () =>
    duplicate(assistant.id).then(
      (made) => edit(made.id),
      () => {},
    )
  return (
    <>
      {assistant.can_share && <ShareAssistantButton assistant={assistant} />}
      {assistant.can_edit && (
        <Link
          to="/assistant/$assistantId/edit/{-$section}"
          params={{ assistantId: assistant.id }}
          className={buttonLook()}
        >
          <SquarePen aria-hidden className="icon" />
          {t('edit')}
        </Link>
      )}
      <Menu
        align="end"
        trigger={
          <IconButton name={t('more_of', { name: assistant.name })}>
            <Ellipsis aria-hidden className="icon" />
          </IconButton>
        }
        entries={[
          ...(mayCreate
            ? [{ label: t('duplicate'), icon: <Copy aria-hidden />, onSelect: () => void copy() }]
            : []),
          {
            ...{ label: t('transfer.export'), icon: <Download aria-hidden /> },
            onSelect: () => void exportToFile(assistant.id),
          },
          ...(assistant.own
            ? [
                {
                  label: t('common:actions.delete'),
                  icon: <Trash2 aria-hidden />,
                  tone: 'danger' as const,
                  onSelect: () => setDoomed(true),
                },
              ]
            : []),
        ]}
      />
      <DeleteAssistant
        assistant={isDoomed ? assistant : null}
        onClose={() => setDoomed(false)}
        onGone={() => void navigate({ to: '/assistant', replace: true })}
      />
    </>
  )
}
