import { Link } from '@tanstack/react-router'
import clsx from 'clsx'
import { Check, ChevronDown, ChevronUp, Info, Pencil, ToggleRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { InputRequest } from '#shared/input-requests/input-requests.ts'
import { useTranslation } from '../i18n/i18n.ts'
import {
  InterruptedChoices,
  KindIcon,
  RequestForm,
  requestWords,
  useAnswer,
} from '../input-requests/input-requests.tsx'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { idOf, isYesNo, needsForm } from './inbox-groups.ts'
import { InboxTime } from './inbox-times.tsx'
import { titleOf } from './inbox-words.ts'

type InboxRowProps = {
  item: InputRequest
  isCurrent: boolean
  isOpen: boolean
  onToggle: () => void
  onSettled: () => void
  /** The focus came into it. */
  onCurrent: () => void
}

/** One request of the inbox: answered in its row where a word is enough, else opened. */
export function InboxRow({ item, isCurrent, isOpen, onToggle, onSettled, onCurrent }: InboxRowProps) {
  const { t } = useTranslation('common')
  const { request, session_id } = item
  const title = titleOf(item, t)
  return (
    <section
      aria-label={title}
      data-row={idOf(item)}
      onFocus={onCurrent}
      className={clsx(
        'relative mt-2 overflow-hidden first-of-type:mt-0 rounded-card border bg-bg',
        isCurrent
          ? 'border-line-strong before:absolute before:inset-y-2 before:left-0 before:w-0.5 before:rounded-pill before:bg-accent'
          : 'border-line',
      )}
    >
      <div
        className={clsx(
          'grid grid-cols-[32px_minmax(0,1fr)] items-center gap-x-3.5 gap-y-3 py-3.5 pr-3.5 pl-4 lg:grid-cols-[32px_minmax(0,1fr)_auto]',
          isOpen && 'border-b border-line',
        )}
      >
        <span className="inline-grid size-8 flex-none place-items-center self-start rounded-row bg-surface-2">
          <KindIcon request={request} />
        </span>
        <div className="min-w-0">
          <h3 className="flex items-baseline gap-2 text-14">
            <span className="truncate font-medium">{title}</span>
            {request.tool && (
              <span className="text-12 whitespace-nowrap text-ink-3 max-md:hidden">
                {request.tool.tool_name}
              </span>
            )}
          </h3>
          <p className="mt-px text-13 leading-[19px] wrap-anywhere text-ink-2">{requestWords(request, t)}</p>
          {!isOpen && <Meta item={item} />}
        </div>
        <div className="flex flex-wrap items-center gap-2 max-lg:col-start-2 max-md:col-span-full max-md:[&>button]:flex-1">
          {isOpen && <InboxTime item={item} isUrgent={request.deadline !== null} />}
          {!isOpen && <RowAnswers item={item} onOpen={onToggle} onSettled={onSettled} />}
          <IconButton
            name={t(isOpen ? 'inbox.fold' : 'inbox.unfold', { title })}
            size="xs"
            className="max-md:!flex-none"
            aria-expanded={isOpen}
            onClick={onToggle}
          >
            {isOpen ? (
              <ChevronUp aria-hidden className="icon" />
            ) : (
              <ChevronDown aria-hidden className="icon" />
            )}
          </IconButton>
        </div>
      </div>
      {isOpen && (
        <RequestForm
          key={request.id}
          sessionId={session_id}
          request={request}
          onSettled={onSettled}
          isWide
          start={session_id && <ChatLink sessionId={session_id} />}
          frame={(_, content) => <>{content}</>}
        />
      )}
    </section>
  )
}

function ChatLink({ sessionId }: { sessionId: string }) {
  const { t } = useTranslation('common')
  return (
    <Link to={`/chat/${sessionId}`} className="mr-3 text-13 font-medium text-accent hover:underline">
      {t('inbox.open_chat')}
    </Link>
  )
}

function Meta({ item }: { item: InputRequest }) {
  const { t } = useTranslation('common')
  const { kind } = item.request
  return (
    <p className="mt-1.5 flex flex-wrap gap-x-3.5 gap-y-1 text-12 text-ink-3">
      {kind === 'approval' && (
        <Fact icon={<Pencil aria-hidden className="icon-12" />}>{t('inbox.editable')}</Fact>
      )}
      {kind === 'interrupted' && (
        <Fact icon={<Info aria-hidden className="icon-12" />}>{t('inbox.nothing_lost')}</Fact>
      )}
      {isYesNo(item) && (
        <Fact icon={<ToggleRight aria-hidden className="icon-12" />}>{t('inbox.yes_no')}</Fact>
      )}
      <InboxTime item={item} />
    </p>
  )
}

function Fact({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      {icon}
      {children}
    </span>
  )
}

type RowAnswersProps = { item: InputRequest; onOpen: () => void; onSettled: () => void }

function RowAnswers({ item, onOpen, onSettled }: RowAnswersProps) {
  const { t } = useTranslation('common')
  const { request, session_id: sessionId } = item
  const answering = useAnswer({ sessionId, request }, onSettled)
  if (needsForm(item)) return <Button onClick={onOpen}>{t('inbox.answer')}</Button>
  if (request.kind === 'interrupted') return <InterruptedChoices answering={answering} />
  const isApproval = request.kind === 'approval'
  const say = (yes: boolean) =>
    answering.send({ input: isApproval ? { approved: yes } : yes, input_type: 'json' })
  return (
    <>
      <Button disabled={answering.isSending} data-answer="no" onClick={() => say(false)}>
        {t(isApproval ? 'inbox.decline' : 'inbox.no')}
      </Button>
      <Button
        busy={answering.isSending}
        data-answer="yes"
        icon={<Check aria-hidden className="icon" />}
        onClick={() => say(true)}
      >
        {t(isApproval ? 'inbox.approve' : 'inbox.yes')}
      </Button>
    </>
  )
}
