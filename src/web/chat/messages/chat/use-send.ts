import { useNavigate } from '@tanstack/react-router'
import { type RefObject, useCallback, useEffect } from 'react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { isConnected } from '../../../platform/lib/api/reachability.ts'
import { selectedTool } from '../../../platform/lib/selected-tools.ts'
import { useUploadState } from '../../../platform/lib/uploads/upload-state.ts'
import { type ComposerHandle, comparedIn, giveDraft, sendEarly, takeEarly } from '../../composer/composer.tsx'
import { addMentions, clearMentions, mentionsIn } from '../../mentions/mentions.ts'
import { isAgreed } from '../../run-prices/run-prices.tsx'
import { messageStore, useMessages } from './message-store.ts'
import { sendMessage } from './send.ts'

/** Loads the code that sends a message to several models. */
export const loadComparison = () => import('../comparison/send-comparison.ts')

/** Sends the text. A message sent before the chat exists, or before its price is accepted, is sent as soon as possible. */
export function useSend(
  sessionId: string | null,
  leaveMiddle: () => void,
  composer: RefObject<ComposerHandle | null>,
) {
  const { t } = useTranslation('streaming_blocks')
  const navigate = useNavigate()
  const hasFailed = useMessages((state) => state.error !== null)
  const send = useCallback(
    (text: string) => {
      if (!sessionId) return sendEarly(text)
      const wish = { sessionId, text, tool: selectedTool(sessionId) }
      if (!isAgreed(wish, () => composer.current?.send())) return false
      leaveMiddle()
      const mentions = mentionsIn(sessionId)
      const models = comparedIn(sessionId)
      if (models.length > 0 && isConnected() && !messageStore.getState().isStreaming) {
        clearMentions(sessionId)
        const files = useUploadState.getState().files[sessionId] ?? []
        const onRefused = () => {
          giveDraft(sessionId, text)
          addMentions(sessionId, mentions)
        }
        void loadComparison().then(
          (file) =>
            file.sendComparison({
              sessionId,
              text,
              models,
              toolChoice: wish.tool,
              files,
              mentions,
              t,
              onRefused,
            }),
          onRefused,
        )
        return true
      }
      const isSent = sendMessage({
        sessionId,
        text,
        toolChoice: wish.tool,
        files: useUploadState.getState().files[sessionId] ?? [],
        t,
        onNavigate: (to) => void navigate({ to }),
        mentions,
        onRefused: (refused) => {
          giveDraft(sessionId, refused)
          addMentions(sessionId, mentions)
        },
      })
      if (isSent) clearMentions(sessionId)
      return isSent
    },
    [sessionId, t, navigate, leaveMiddle, composer],
  )
  useEffect(() => {
    const text = sessionId && takeEarly(sessionId)
    if (text && !send(text)) giveDraft(sessionId, text)
  }, [sessionId, send])
  useEffect(() => {
    if (!sessionId && hasFailed) takeEarly(null)
  }, [sessionId, hasFailed])
  useEffect(() => () => void takeEarly(null), [])
  return send
}
