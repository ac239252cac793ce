import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import {
  enterHint,
  insertsLine,
  isComposing,
  isSendKey,
  useEnterSends,
} from '../../../platform/lib/enter-key.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { useMessages } from '../chat/message-store.ts'
import { editAndRegenerate, keepEdit, openEditor, readEdit } from './edit.ts'

/** An inline editor of a person's message. Enter sends, Escape reverts. */
export function EditForm({ messageId }: { messageId: string }) {
  const { t } = useTranslation('streaming_blocks')
  const field = useRef<HTMLTextAreaElement>(null)
  const enterSends = useEnterSends()
  const [isEmpty, setEmpty] = useState(false)
  const isStreaming = useMessages((state) => state.isStreaming)
  useLayoutEffect(() => {
    if (!field.current) return
    field.current.value = readEdit(messageId)
    field.current.focus()
    field.current.setSelectionRange(field.current.value.length, field.current.value.length)
  }, [messageId])
  const close = () => {
    keepEdit(messageId, '')
    openEditor(null)
  }
  const send = () => {
    if (!isEmpty) editAndRegenerate(messageId, field.current?.value ?? '', t)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event) || insertsLine(event)) return
    if (event.key === 'Escape') {
      // Escape also stops a reply; here it only leaves the field.
      event.preventDefault()
      close()
    } else if (isSendKey(event, enterSends)) {
      event.preventDefault()
      send()
    }
  }
  return (
    <div className="w-full rounded-bubble border border-line-strong bg-raised p-2.5 has-[textarea:focus-visible]:border-focus has-[textarea:focus-visible]:outline-1 has-[textarea:focus-visible]:outline-focus">
      <textarea
        ref={field}
        rows={2}
        dir="auto"
        enterKeyHint={enterHint(enterSends)}
        aria-label={t('branch.edit_label')}
        onChange={({ currentTarget }) => {
          keepEdit(messageId, currentTarget.value)
          setEmpty(currentTarget.value.trim() === '')
        }}
        onKeyDown={onKeyDown}
        className="composer-text block w-full bg-transparent px-2 pt-1 pb-2 text-16 leading-6 tracking-[-0.011em] outline-none"
      />
      <div className="flex flex-wrap items-center justify-end gap-2">
        <p className="min-w-0 flex-1 basis-50 px-2 text-12 text-ink-3">{t('branch.edit_note')}</p>
        <span className="flex gap-2">
          <Button variant="ghost" size="sm" onClick={close}>
            {t('common:actions.cancel')}
          </Button>
          <Button variant="primary" size="sm" disabled={isEmpty || isStreaming} onClick={send}>
            {t('composer.send')}
          </Button>
        </span>
      </div>
    </div>
  )
}
