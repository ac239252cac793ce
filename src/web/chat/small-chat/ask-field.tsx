import { ArrowUp, FileText, Quote, Square } from 'lucide-react'
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { askAbout, type PageToRead } from '#shared/chat/embeds/page-question.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { enterHint, insertsLine, isSendKey, useEnterSends } from '../../platform/lib/enter-key.ts'
import { Switch } from '../../platform/ui/checkbox.tsx'
import { useOfferedPage } from './offered-page.ts'
import { type SmallChat, standsStill } from './use-small-chat.ts'

export type AskHandle = { fill: (text: string) => void }

type AskFieldProps = { chat: SmallChat; ref: Ref<AskHandle> }

/** The composer of a visitor. In the extension, the current page is sent with the question on request. */
export function AskField({ chat, ref }: AskFieldProps) {
  const { t } = useTranslation('embeds')
  const field = useRef<HTMLTextAreaElement>(null)
  const enterSends = useEnterSends()
  const [text, setText] = useState('')
  const [isRead, setRead] = useState(false)
  const page = useOfferedPage()
  const last = chat.messages.at(-1)
  const isHeld = last !== undefined && standsStill(last) && !chat.isWriting
  // The page is offered on request, for one question.
  useEffect(() => {
    setRead(page !== null)
    if (page) field.current?.focus()
  }, [page])
  useImperativeHandle(ref, () => ({
    fill: (given) => {
      setText(given)
      field.current?.focus()
    },
  }))
  const send = () => {
    if (!chat.send(isRead && page ? askAbout(text, page) : text)) return
    setText('')
    setRead(false)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {page && <About page={page} isRead={isRead} onRead={setRead} />}
      <div className="ask">
        <textarea
          ref={field}
          rows={1}
          dir="auto"
          enterKeyHint={enterHint(enterSends)}
          value={text}
          maxLength={8_000}
          aria-label={t('chat.message')}
          placeholder={t(isRead ? 'chat.placeholder_page' : 'chat.placeholder')}
          disabled={isHeld}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => {
            if (insertsLine(event) || !isSendKey(event, enterSends)) return
            event.preventDefault()
            send()
          }}
        />
        {chat.isWriting ? (
          <button type="button" className="send" aria-label={t('chat.stop')} onClick={chat.stop}>
            <Square aria-hidden className="icon-14" />
          </button>
        ) : (
          <button
            type="submit"
            className="send"
            aria-label={t('chat.send')}
            disabled={isHeld || text.trim() === ''}
          >
            <ArrowUp aria-hidden className="icon" />
          </button>
        )}
      </div>
    </form>
  )
}

type AboutProps = { page: PageToRead; isRead: boolean; onRead: (on: boolean) => void }

/** Preview of the text sent from the current page; off by default. */
function About({ page, isRead, onRead }: AboutProps) {
  const { t } = useTranslation('embeds')
  const Icon = page.isSelection ? Quote : FileText
  return (
    <div className="about">
      <Icon aria-hidden className="icon text-ink-3" />
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate font-medium">
          {page.isSelection ? page.text : page.title}
        </span>
        <span className="block truncate text-12 text-ink-3">
          {t(page.isSelection ? 'page.selection' : isRead ? 'page.read' : 'page.not_read')}
        </span>
      </span>
      <Switch
        checked={isRead}
        onCheckedChange={onRead}
        aria-label={t(page.isSelection ? 'page.read_selection' : 'page.read_page')}
      />
    </div>
  )
}
