import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { loadTexts } from '../../platform/i18n/i18n.ts'
import { closeChatPanel, openPanel, useChatPanel } from '../../platform/lib/chat-panel.ts'

/**
 * Synchronizes the right sidebar of the chat with the address: `?document={id}` opens the document there, and closing it
 * removes the parameter.
 */
export default function DocumentInAddress() {
  const { document } = useSearch({ strict: false }) as { document?: string }
  const navigate = useNavigate()
  useEffect(() => {
    if (!document) {
      if (useChatPanel.getState().shown === 'document') closeChatPanel()
      return
    }
    let isLeft = false
    void loadTexts('documents').then(() => isLeft || openPanel('document', document))
    return () => {
      isLeft = true
    }
  }, [document])
  useEffect(
    () =>
      useChatPanel.subscribe((now, before) => {
        const isClosed = before.shown === 'document' && now.shown !== 'document'
        if (isClosed && before.subject === document) void navigate({ to: '.', search: {}, replace: true })
      }),
    [document, navigate],
  )
  return null
}
