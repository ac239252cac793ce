import { useEffect, useRef, useState } from 'react'
import { type Checkpoint, pauseRun, resumeRun } from '#shared/chat/checkpoints/checkpoints.ts'
import { createMessage } from '#shared/chat/messages/messages.ts'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { findIdTrouble } from '../events/session-id.ts'
import { type DebugSettings, sessionOf } from '../events/settings.ts'
import { refreshCheckpoints, refreshSession } from './react-to.ts'

/** Delay between filling the message box and sending. */
const SEND_AFTER_MS = 100
/** Delay between a pause and fetching the checkpoints. */
const LOOK_AFTER_PAUSE_MS = 1000
/** Delay between selecting the latest checkpoint and resuming from it. */
const RESUME_AFTER_MS = 500

type Given = {
  settings: DebugSettings
  session: Session | null
  checkpoints: Checkpoint[]
  isConnected: boolean
  onNeedSession: () => void
}

/** Actions for testing an agent. `notice` says why an action is not possible. */
export function useAgentTest({ settings, session, checkpoints, isConnected, onNeedSession }: Given) {
  const { t } = useTranslation('admin')
  const [message, setMessage] = useState('')
  const [chosenId, setChosenId] = useState('')
  const [notice, setNotice] = useState<string | null>(null)
  const [busy, setBusy] = useState<string | null>(null)
  const later = useTimers()
  const sessionId = sessionOf(settings)

  /** Runs one call at a time and reports a refusal. */
  const run = async (name: string, act: (sessionId: string) => Promise<unknown>) => {
    setNotice(null)
    if (sessionId === null) return onNeedSession()
    if (busy) return
    setBusy(name)
    try {
      await act(sessionId)
    } catch (error) {
      setNotice(errorText(t, error))
    }
    setBusy(null)
  }
  const send = (content: string) => {
    if (findIdTrouble(settings.sessionId) === null && content.trim() === '')
      return setNotice(t('debug.empty_message'))
    void run('send', async (chat_session_id) => {
      await call(createMessage, { body: { content, chat_session_id, agent_type: settings.agentType } })
      setMessage('')
      await refreshSession(chat_session_id)
    })
  }
  const resume = (checkpoint: string) =>
    run('resume', async (id) => {
      await call(resumeRun, {
        params: { sessionId: id },
        body: { checkpoint, agent_type: settings.agentType },
      })
      await refreshSession(id)
    })

  return {
    ...{ message, setMessage, notice, busy, chosenId, setChosenId },
    send: () => send(message),
    testTask() {
      const content = t('debug.test_message')
      setMessage(content)
      later(SEND_AFTER_MS, () => send(content))
    },
    fetchCheckpoints() {
      if (!isConnected) return setNotice(t('debug.connect_first'))
      void run('fetch', refreshCheckpoints)
    },
    pause() {
      if (!session?.processing_task_id) return setNotice(t('debug.no_task'))
      if (session.agent_status !== 'processing') return setNotice(t('debug.no_processing_task'))
      void run('pause', async (id) => {
        await call(pauseRun, { params: { sessionId: id } })
        later(LOOK_AFTER_PAUSE_MS, () => void refreshCheckpoints(id))
      })
    },
    resumeChosen() {
      if (!chosenId) return setNotice(t('debug.choose_checkpoint'))
      void resume(chosenId)
    },
    resumeLatest() {
      const latest = checkpoints.at(-1)
      if (!latest) return setNotice(t('debug.no_checkpoints'))
      setNotice(null)
      setChosenId(latest.id)
      later(RESUME_AFTER_MS, () => void resume(latest.id))
    },
  }
}

/** Timers that are cleared on unmount. */
function useTimers() {
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>())
  useEffect(() => {
    const running = timers.current
    return () => {
      for (const timer of running) clearTimeout(timer)
    }
  }, [])
  return (ms: number, act: () => void) => {
    const timer = setTimeout(() => {
      timers.current.delete(timer)
      act()
    }, ms)
    timers.current.add(timer)
  }
}
