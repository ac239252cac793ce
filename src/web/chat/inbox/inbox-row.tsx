import { Link } from '@tanstack/react-router'
import {
  ArrowUpRight,
  Check,
  ChevronDown,
  ChevronUp,
  Info,
  Pencil,
  ToggleRight,
  UserRound,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { InterruptedChoices, RequestForm, useAnswer } from '../../runs/input-requests/input-requests.tsx'
import { type AskedItem, isYesNo, needsForm } from './inbox-groups.ts'
import { InboxTime } from './inbox-times.tsx'
import { pageOf, titleOf } from './inbox-words.ts'
import { RowFrame } from './row-frame.tsx'

type InboxRowProps = {
  item: AskedItem
  isCurrent: boolean
  isOpen: boolean
  onToggle: () => void
  onSettled: () => void
  /** Called when it receives the focus. */
  onCurrent: () => void
}

/** One request of the inbox: answered in its row if a word is enough, otherwise opened. */
export function InboxRow({ item, isCurrent, isOpen, onToggle, onSettled, onCurrent }: InboxRowProps) {
  const { t } = useTranslation(['common', 'tool_ui'])
  const { request, session_id } = item
  const Chevron = isOpen ? ChevronUp : ChevronDown
  return (
    <RowFrame
      {...{ item, isCurrent, onCurrent }}
      meta={!isOpen && <Meta item={item} />}
      actions={
        <>
          {isOpen && <InboxTime item={item} isUrgent={request.deadline !== null} />}
          {!isOpen && <RowAnswers item={item} onOpen={onToggle} onSettled={onSettled} />}
          <IconButton
            name={t(isOpen ? 'inbox.fold' : 'inbox.unfold', { title: titleOf(item, t) })}
            size="xs"
            className="max-md:!flex-none"
            aria-expanded={isOpen}
            onClick={onToggle}
          >
            <Chevron aria-hidden className="icon" />
          </IconButton>
        </>
      }
    >
      {isOpen && (
        <RequestForm
          key={request.id}
          sessionId={session_id}
          request={request}
          onSettled={onSettled}
          isWide
          start={<PageLink item={item} />}
          frame={(_, content) => <>{content}</>}
        />
      )}
    </RowFrame>
  )
}

function PageLink({ item }: { item: AskedItem }) {
  const { t } = useTranslation('common')
  const page = pageOf(item)
  if (!page) return null
  return (
    <Link
      {...page}
      className="mr-3 inline-flex items-center gap-1 text-13 font-medium text-accent hover:underline"
    >
      {t(item.session_id ? 'inbox.open_chat' : 'inbox.open_tool')}
      <ArrowUpRight aria-hidden className="icon-12" />
    </Link>
  )
}

function Meta({ item }: { item: AskedItem }) {
  const { t } = useTranslation('common')
  const { kind } = item.request
  return (
    <p className="mt-1.5 flex flex-wrap gap-x-3.5 gap-y-1 text-12 text-ink-3">
      {item.asked_by && (
        <Fact icon={<UserRound aria-hidden className="icon-12" />}>
          {t('inbox.asked_by', { name: item.asked_by })}
        </Fact>
      )}
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

type RowAnswersProps = { item: AskedItem; onOpen: () => void; onSettled: () => void }

function RowAnswers({ item, onOpen, onSettled }: RowAnswersProps) {
  const { t } = useTranslation('common')
  const { request, session_id: sessionId } = item
  const answering = useAnswer({ sessionId, request }, onSettled)
  if (needsForm(item)) return <Button onClick={onOpen}>{t('inbox.answer')}</Button>
  if (request.kind === 'interrupted') return <InterruptedChoices request={request} answering={answering} />
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
