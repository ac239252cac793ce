import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { keepSeenChats } from './outbox/keep-seen.ts'
import { sendWaiting } from './outbox/send-waiting.ts'

/** Sends queued messages in every view, and keeps seen chats for the time without a connection. */
export default function OutboxSender() {
  const { t } = useTranslation('streaming_blocks')
  const navigate = useNavigate()
  useEffect(() => sendWaiting({ t, onNavigate: (to) => void navigate({ to }) }), [t, navigate])
  useEffect(keepSeenChats, [])
  return null
}
