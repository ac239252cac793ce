import clsx from 'clsx'
import { MessagesSquare, RotateCcw } from 'lucide-react'
import { lazy, Suspense, useEffect, useId, useRef } from 'react'
import type { SessionProject } from '#shared/chat/sessions/sessions.ts'
import { plainCitations } from '#shared/platform/citations/citation-tags.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useEnterSends } from '../../platform/lib/enter-key.ts'
import { whenIdle } from '../../platform/lib/page-state.ts'
import { warmHighlighter } from '../../platform/markdown/markdown.tsx'
import { Button } from '../../platform/ui/button.tsx'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import { warmToasts } from '../../platform/ui/toasts/toast-host.tsx'
import { View } from '../../platform/ui/view.tsx'
import { loadAhead, titleOf, useReadMark } from '../../runs/sessions/sessions.ts'
import {
  AgentBadge,
  AgentMenu,
  Composer,
  type ComposerHandle,
  ModelPicker,
  TuningMenu,
  useComposerFocus,
  useGlide,
} from '../composer/composer.tsx'
import { ContextGauge } from '../context-use/context-use.ts'
import { loadMentions, useMentionMenu } from '../mentions/mentions.ts'
import { loadSending, QueueDock, useSendWays } from '../message-queue/message-queue.ts'
import { ChatProject } from '../projects/projects.tsx'
import { usePromptMenu } from '../prompts/prompts.ts'
import { PriceNote, PriceQuestion, useReplyPrice } from '../run-prices/run-prices.tsx'
import { SelectedText } from '../selected-text/selected-text.ts'
import { AssistantExamples, AssistantPicker } from './assistant-picker.tsx'
import { ToolChip, warmTools } from './blocks/lazy-tools.tsx'
import { BranchBadge, warmBranches } from './branching/lazy-branches.tsx'
import { attachToRun, catchUp } from './chat/chat.ts'
import { MayWrite } from './chat/may-write.ts'
import { messageStore, patchMessage, useMessages } from './chat/message-store.ts'
import { useAssistant } from './chat/use-assistant.ts'
import { useChat, useChatOfRoot } from './chat/use-chat.ts'
import { useIsEmpty } from './chat/use-is-empty.ts'
import { loadComparison, useSend } from './chat/use-send.ts'
import { useStop } from './chat/use-stop.ts'
import { ChatTitle } from './chat-title.tsx'
import { ContextButton } from './context-button.tsx'
import { TemporaryBar, TemporarySwitch } from './lazy-temporary.tsx'
import { useWaiting } from './outbox/outbox.ts'
import { loadDock } from './standstill/load-dock.ts'
import { useStandstill } from './standstill/waiting.ts'
import { Transcript } from './transcript/transcript.tsx'
import { TranscriptSkeleton } from './transcript/transcript-skeleton.tsx'
import { useHold } from './transcript/use-hold.ts'
import { useLinkedMessage } from './transcript/use-linked-message.ts'
import { Examples, Greeting, useExampleCycle, useExamples } from './welcome.tsx'

const ComposerFiles = lazy(() =>
  import('../../knowledge/documents/documents.ts').then((file) => ({ default: file.ComposerFiles })),
)
const ChatOut = lazy(() => import('../exports/exports.tsx').then((file) => ({ default: file.ChatOut })))
const RequestDock = lazy(() => loadDock().then((file) => ({ default: file.RequestDock })))
const PauseButton = lazy(() =>
  import('./standstill/pause-button.tsx').then((file) => ({ default: file.PauseButton })),
)
const RunBadge = lazy(() => import('./run-badge.tsx').then((file) => ({ default: file.RunBadge })))
const StatusRegion = lazy(() =>
  import('./status-region.tsx').then((file) => ({ default: file.StatusRegion })),
)
const loadOwnChat = () => import('./chat/own-chat.ts')
const loadWaiting = () => import('./outbox/waiting-messages.tsx')
const WaitingMessages = lazy(() => loadWaiting().then((file) => ({ default: file.WaitingMessages })))
const loadStandstill = () => import('./standstill/standstill.tsx')
const StandstillAction = lazy(() => loadStandstill().then((file) => ({ default: file.StandstillAction })))
const StandstillNote = lazy(() => loadStandstill().then((file) => ({ default: file.StandstillNote })))

import './messages.css'

/** The chat: its messages and the composer. `chatUid` is the session of the address, null at the root. */
export function ChatView({ chatUid }: { chatUid: string | null }) {
  const { t } = useTranslation('streaming_blocks')
  useChatOfRoot(chatUid)
  const { session, reload } = useChat(chatUid)
  useLinkedMessage(chatUid)
  useReadMark(session)
  const assistant = useAssistant(session)
  const isStreaming = useMessages((state) => state.isStreaming)
  const composer = useRef<ComposerHandle>(null)
  const { isStopping, stop } = useStop(chatUid, isStreaming)
  const isEmpty = useIsEmpty(chatUid)
  const { box, leave } = useGlide(isEmpty)
  const send = useSend(chatUid, leave, composer)
  useComposerFocus(composer)
  const prompts = usePromptMenu({ sessionId: chatUid, isNew: isEmpty, composer, readLastReply })
  const mentions = useMentionMenu({ sessionId: chatUid, composer, onPrompt: prompts.choose })
  const enterSends = useEnterSends()
  const standstill = useStandstill()
  const isHeld = useHold(chatUid, standstill)
  const noteId = useId()
  const price = useReplyPrice(chatUid, !isStreaming && session !== null)
  const cycle = useExampleCycle()
  useWarmth()
  const modelName = session?.model_name ?? assistant?.model_name ?? null
  const examples = useExamples(modelName)
  const offered = isEmpty
    ? t(`welcome.${examples[cycle.index] ?? 'calculate'}.text`)
    : t('composer.placeholder')
  const addressed = assistant ? t('composer.placeholder_to', { assistant: assistant.name }) : offered
  const ways = useSendWays(isStreaming)
  const mayWrite = session?.project?.may_write !== false
  const placeholder = standstill
    ? t('composer.held.placeholder')
    : isStreaming
      ? t('queue.placeholder')
      : addressed
  const fill = (text: string) => composer.current?.fill(text)
  const title = session ? titleOf(session, t) : t('common:nav.new_chat')
  return (
    <View
      title={title}
      heading={session && <ChatTitle session={session} title={title} />}
      badges={
        <>
          <ChatProject session={session} />
          <BranchBadge />
          <AgentBadge session={session} />
          <Suspense>
            <RunBadge session={session} />
          </Suspense>
        </>
      }
      actions={
        chatUid && (
          <>
            <TemporarySwitch {...{ session, isEmpty }} />
            {session && !isEmpty && !session.is_temporary && (
              <Suspense>
                <ChatOut session={session} />
              </Suspense>
            )}
            <ContextButton />
          </>
        )
      }
    >
      <TemporaryBar {...{ session, isEmpty }} />
      <div className="flex min-h-0 flex-1 flex-col print:block">
        {chatUid && standstill && standstill.requests.length > 0 && !isHeld && (
          // Separate from the composer's box, because growing content would move the box.
          <div className="column order-1 flex-none print:hidden">
            <Suspense>
              <RequestDock
                key={chatUid}
                sessionId={chatUid}
                requests={standstill.requests}
                // Whatever the outcome, the stream has the current state.
                onSettled={() => attachToRun(chatUid)}
              />
            </Suspense>
          </div>
        )}
        {prompts.dock}
        {/* In the tab order it comes before the messages, which have many buttons. */}
        <div ref={box} className="column order-1 flex-none print:hidden">
          {prompts.menu}
          {mentions.menu}
          {session && !isEmpty && (
            <QueueDock
              sessionId={session.id}
              isRunning={isStreaming || standstill !== null}
              mayChange={mayWrite}
              onSent={() => void catchUp(session.id)}
            />
          )}
          <WaitingList sessionId={chatUid} onEdit={() => composer.current?.focus()} />
          {!mayWrite && session?.project ? (
            <ReadOnlyNote project={session.project} {...{ isStreaming, isStopping }} onStop={stop} />
          ) : (
            <Composer
              ref={composer}
              sessionId={chatUid}
              placeholder={placeholder}
              isStreaming={isStreaming}
              isStopping={isStopping}
              held={
                standstill && {
                  noteId,
                  action: standstill.pause && (
                    <Suspense fallback={<span className="h-8 w-20 max-md:h-11" />}>
                      <StandstillAction pause={standstill.pause} />
                    </Suspense>
                  ),
                }
              }
              onSend={send}
              onStop={stop}
              slash={prompts.slash}
              mention={mentions.mention}
              chips={mentions.chips}
              ways={ways}
              start={
                <>
                  <Suspense fallback={<span className="h-8 w-17 max-md:h-11 max-md:w-23" />}>
                    <ComposerFiles sessionId={chatUid} isTemporary={session?.is_temporary} />
                  </Suspense>
                  <AgentMenu session={session} />
                  <TuningMenu session={session} />
                  <AssistantPicker session={session} />
                  <ToolChip sessionId={chatUid} />
                </>
              }
            >
              {isStreaming && session?.session_metadata.agent_type !== 'single_turn' && (
                <Suspense>
                  <PauseButton />
                </Suspense>
              )}
              {session && !isEmpty && (
                <Suspense fallback={<span className="h-8 w-16 max-md:h-11 max-md:w-9" />}>
                  <ContextGauge sessionId={session.id} isStreaming={isStreaming} onSummary={noteSummary} />
                </Suspense>
              )}
              <ModelPicker sessionId={chatUid} modelName={modelName} />
            </Composer>
          )}
        </div>
        <MayWrite value={mayWrite}>
          <Middle
            sessionId={chatUid}
            {...{ isEmpty, isHeld }}
            isPlain={prompts.dock !== null}
            onRetry={reload}
          />
        </MayWrite>
        <div className="welcome-room order-1 min-h-0 overflow-y-auto" data-open={isEmpty || undefined}>
          {isEmpty && (
            <AssistantExamples id={assistant?.id} onChoose={fill}>
              <Examples names={examples} index={cycle.index} onHold={cycle.hold} onChoose={fill} />
            </AssistantExamples>
          )}
        </div>
        <p
          id={noteId}
          className={clsx(
            'print:hidden order-1 flex-none px-4 pt-2 pb-2.5 text-center text-12 text-ink-3 max-md:pb-1',
            !standstill && 'truncate',
            !standstill && (isStreaming || !price) && 'max-md:text-transparent',
          )}
        >
          {chatUid && standstill ? (
            <Suspense fallback={<span className="invisible">{t('composer.hint')}</span>}>
              <StandstillNote
                sessionId={chatUid}
                standstill={standstill}
                onFreed={() => composer.current?.focus()}
              />
            </Suspense>
          ) : price && !isStreaming ? (
            <PriceNote price={price} />
          ) : (
            t(`composer.${isStreaming ? 'hint_streaming' : 'hint'}${enterSends ? '' : '_touch'}`)
          )}
        </p>
      </div>
      <Suspense>
        <StatusRegion />
      </Suspense>
      <PriceQuestion sessionId={chatUid} />
      {!isEmpty && mayWrite && (
        <Suspense>
          <SelectedText composer={composer} onSend={send} />
        </Suspense>
      )}
    </View>
  )
}

type ReadOnlyNoteProps = {
  project: SessionProject
  isStreaming: boolean
  isStopping: boolean
  onStop: () => void
}

/** Stands in place of the composer. The owner of a chat also stops its reply after its project was archived. */
function ReadOnlyNote({ project, isStreaming, isStopping, onStop }: ReadOnlyNoteProps) {
  const { t } = useTranslation('streaming_blocks')
  const isOwn = project.author === null
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 rounded-card bg-surface-2 px-4 py-3.5 text-13 text-ink-2">
      <p>{t(project.is_archived ? 'archived' : 'read_only')}</p>
      {isOwn && isStreaming && (
        <Button size="sm" disabled={isStopping} onClick={onStop}>
          {t('composer.stop')}
        </Button>
      )}
    </div>
  )
}

/** Shows a summary below the message that it was made up to. */
function noteSummary(messageId: string, compaction: string): void {
  const message = messageStore.getState().messagesById[messageId]
  if (message) patchMessage(messageId, { metadata: { ...message.metadata, compaction } })
}

/** Returns the text of the last reply on the shown branch; empty without one. */
function readLastReply(): string {
  const { order, messagesById } = messageStore.getState()
  const replies = order.map((id) => messagesById[id]).filter((message) => message?.role === 'assistant')
  return plainCitations(replies.at(-1)?.content ?? '')
}

/** Preloads what the next steps need, once the messages are on screen and the browser is idle. */
function useWarmth() {
  const isLoading = useMessages((state) => state.isLoading)
  useEffect(() => {
    if (isLoading) return
    return whenIdle(() => {
      warmHighlighter()
      // Without a connection it would be too late.
      for (const load of [
        loadDock,
        warmTools,
        warmBranches,
        warmToasts,
        loadWaiting,
        loadAhead,
        loadOwnChat,
        loadMentions,
        loadSending,
        loadComparison,
      ])
        void load().catch(() => undefined)
    })
  }, [isLoading])
}

function Middle({
  sessionId,
  isEmpty,
  isHeld,
  isPlain,
  onRetry,
}: {
  sessionId: string | null
  isEmpty: boolean
  isHeld: boolean
  /** A form takes the place of the greeting. */
  isPlain: boolean
  onRetry: () => void
}) {
  const { t } = useTranslation('streaming_blocks')
  const isLoading = useMessages((state) => state.isLoading)
  const isHere = useMessages((state) => state.chatSessionId === sessionId)
  const error = useMessages((state) => state.error)
  const reconnecting = useMessages((state) => state.reconnecting)
  if (error !== null)
    return (
      <EmptyState
        page
        icon={<MessagesSquare aria-hidden />}
        title={t('load_failed.title')}
        action={
          <Button icon={<RotateCcw aria-hidden className="icon" />} onClick={onRetry}>
            {t('load_failed.retry')}
          </Button>
        }
      >
        {t('load_failed.text')}
      </EmptyState>
    )
  if (isEmpty) return <div className="min-h-0 flex-1">{!isPlain && <Greeting />}</div>
  if (isLoading || !sessionId || !isHere || isHeld) return <TranscriptSkeleton />
  return (
    <>
      {reconnecting !== null && reconnecting > 1 && (
        <p role="status" className="flex-none border-b border-line bg-warning-soft px-5 py-2 text-13">
          <span className="font-medium">{t('reconnecting.title')}</span> {t('reconnecting.text')}
        </p>
      )}
      <Transcript key={sessionId} sessionId={sessionId} />
    </>
  )
}

/** The queued messages, above the composer. */
function WaitingList({ sessionId, onEdit }: { sessionId: string | null; onEdit: () => void }) {
  const waiting = useWaiting(sessionId)
  if (!sessionId || waiting.length === 0) return null
  return (
    <Suspense>
      <WaitingMessages sessionId={sessionId} waiting={waiting} onEdit={onEdit} />
    </Suspense>
  )
}
