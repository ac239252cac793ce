import { Play, RotateCcw } from 'lucide-react'
import { useRef } from 'react'
import type { Assistant } from '#shared/chat/assistants/assistants.ts'
import type { AssistantContent } from '#shared/chat/assistants/versions.ts'
import type { InputRequiredBlock } from '#shared/runs/runs/blocks.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Callout } from '../../platform/ui/callout.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { PanelHeader } from '../../platform/ui/panel-header.tsx'
import { RequestDock } from '../../runs/input-requests/input-requests.tsx'
import { AskField, type AskHandle, Said, Starters, useSmallChat } from '../small-chat/small-chat.ts'
import { useTry } from './use-try.ts'

type TryPanelProps = {
  assistant: Assistant | null
  /** Current content of the form. */
  content: AssistantContent
  isUnsaved: boolean
  /** Closes the panel where it overlays the form. */
  onClose?: () => void
}

/** A chat with the assistant as in its form, saved or not. */
export function TryPanel({ assistant, content, isUnsaved, onClose }: TryPanelProps) {
  const { t } = useTranslation(['assistant', 'embeds', 'streaming_blocks', 'tool_ui'])
  const field = useRef<AskHandle>(null)
  const { sessionId, place } = useTry(assistant?.id ?? null, content)
  const chat = useSmallChat(sessionId, place, (text) => field.current?.fill(text))
  const { messages, asked, isLoading, isWriting, error } = chat
  const isEmpty = messages.length === 0 && asked === null && !isLoading
  const last = messages.at(-1)
  const requests = isWriting ? [] : (last?.blocks ?? []).filter(isWaiting)
  return (
    <div className="small-chat h-full flex-1">
      <PanelHeader
        title={t('try.title')}
        icon={<Play aria-hidden className="icon" />}
        badges={
          <span className="truncate text-12 text-ink-3">{t(isUnsaved ? 'try.unsaved' : 'try.saved')}</span>
        }
        actions={
          <IconButton name={t('try.restart')} disabled={isEmpty && error === null} onClick={chat.restart}>
            <RotateCcw aria-hidden className="icon" />
          </IconButton>
        }
        onClose={onClose ?? null}
      />
      {isEmpty ? (
        <div className="said">
          <div className="begin">
            <p className="mb-4 text-14 text-ink-2">{t('try.empty')}</p>
            <Starters texts={content.example_prompts} onChoose={(text) => chat.send(text)} />
          </div>
        </div>
      ) : (
        <Said chat={chat} name={content.name} showsSources />
      )}
      <footer>
        {error !== null && (
          <Callout tone="danger" className="mb-2">
            {errorText(t, error)}
          </Callout>
        )}
        {sessionId && requests.length > 0 ? (
          <RequestDock sessionId={sessionId} requests={requests} onSettled={chat.goOn} />
        ) : (
          <AskField ref={field} chat={chat} />
        )}
        <p className="mt-2 text-center text-12 text-ink-3">{t('try.note')}</p>
      </footer>
    </div>
  )
}

const isWaiting = (block: { type: string; state?: unknown }): block is InputRequiredBlock =>
  block.type === 'input_required' && block.state === 'waiting'
