import { useEffect, useEffectEvent, useId, useRef } from 'react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { isComposing, isSendKey } from '../../platform/lib/enter-key.ts'
import { Button } from '../../platform/ui/button.tsx'

type QueuedEditProps = {
  content: string
  onSave: (content: string) => void
  onCancel: () => void
  /** Returns a changed text when the field closes in another way: its message was sent, or the chat was left. */
  onGone: (text: string) => void
}

/** Edits a waiting message in its place. Enter saves, Escape leaves it as it was. */
export function QueuedEdit({ content, onSave, onCancel, onGone }: QueuedEditProps) {
  const { t } = useTranslation('streaming_blocks')
  const text = useRef(content)
  const isOver = useRef(false)
  const hint = useId()
  const save = () => {
    if (!text.current.trim()) return
    isOver.current = true
    onSave(text.current)
  }
  const cancel = () => {
    isOver.current = true
    onCancel()
  }
  const leave = useEffectEvent(() => {
    if (!isOver.current && text.current !== content && text.current.trim()) onGone(text.current)
  })
  useEffect(() => () => leave(), [])
  return (
    <li className="grid gap-2 border-t border-line p-2">
      <textarea
        // biome-ignore lint/a11y/noAutofocus: the person asked to edit it.
        autoFocus
        dir="auto"
        rows={2}
        defaultValue={content}
        onChange={(event) => {
          text.current = event.target.value
        }}
        aria-label={t('queue.edit')}
        aria-describedby={hint}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !isComposing(event)) {
            // The same key would stop the reply.
            event.preventDefault()
            event.stopPropagation()
            cancel()
          }
          if (!isSendKey(event, true)) return
          event.preventDefault()
          save()
        }}
        className="composer-text block max-h-40 w-full rounded-control border border-line-strong bg-raised px-2.5 py-1.5 text-14"
      />
      <div className="flex items-center justify-end gap-2">
        <span id={hint} className="flex-1 text-12 text-ink-3 max-md:hidden">
          {t('queue.edit_hint')}
        </span>
        <Button size="sm" variant="ghost" onClick={cancel}>
          {t('common:actions.cancel')}
        </Button>
        <Button size="sm" variant="primary" onClick={save}>
          {t('queue.save')}
        </Button>
      </div>
    </li>
  )
}
