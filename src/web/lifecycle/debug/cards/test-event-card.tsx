import { SendHorizontal } from 'lucide-react'
import { useState } from 'react'
import { sendTestEvent } from '#shared/runs/runs/runs.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { isApiError } from '../../../platform/lib/api/api-error.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { useAction } from '../../../platform/lib/use-action.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Input, Textarea } from '../../../platform/ui/input.tsx'
import { EXAMPLE_ID, findIdTrouble } from '../events/session-id.ts'
import { type DebugSettings, sessionOf } from '../events/settings.ts'
import type { DebugEvents } from '../events/use-events.ts'
import { CheckResult } from './auth-check.tsx'
import { DebugCard } from './debug-card.tsx'

type Props = { settings: DebugSettings; events: DebugEvents }

/** Sends an event that returns on the stream. Uses the bearer header, which an EventSource cannot send. */
export function TestEventCard({ settings, events }: Props) {
  const { t } = useTranslation('admin')
  const [type, setType] = useState('test_event')
  const [data, setData] = useState(() => JSON.stringify({ message: t('debug.test_data') }, null, 2))
  const [isInvalid, setInvalid] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const sessionId = events.connection.sessionId ?? sessionOf(settings)
  const idTrouble = sessionId === null ? findIdTrouble(settings.sessionId) : null
  const post = useAction(async () => {
    try {
      await call(sendTestEvent, {
        params: { sessionId: sessionId ?? '' },
        body: { event_type: type.trim() || 'test_event', data: JSON.parse(data) },
      })
    } catch (error) {
      const [status, text] = isApiError(error) ? [error.status, error.detail] : ['', error]
      const sentence = `Error sending test event: ${status} ${text}`
      console.error(sentence)
      events.note(sentence)
      throw error
    }
    return true
  })
  const send = () => {
    const isBroken = !isJson(data)
    setInvalid(isBroken)
    setAsked(idTrouble !== null)
    if (!isBroken && idTrouble === null) void post.run()
  }
  return (
    <DebugCard title={t('debug.test_event')}>
      <Field label={t('debug.event_type')}>
        <Input
          value={type}
          onChange={({ target }) => setType(target.value)}
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          className="font-mono md:text-12!"
        />
      </Field>
      <Field
        label={t('debug.json_data')}
        error={isInvalid && <span role="alert">{t('debug.invalid_json')}</span>}
      >
        <Textarea
          value={data}
          onChange={({ target }) => {
            setData(target.value)
            if (isInvalid) setInvalid(!isJson(target.value))
          }}
          spellCheck={false}
          className="max-h-60 font-mono md:text-12!"
        />
      </Field>
      {isAsked && idTrouble && (
        <p role="alert" className="text-12 text-danger">
          {idTrouble === 'empty' ? t('debug.empty_id') : t('debug.invalid_id', { hash: EXAMPLE_ID })}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2.5">
        <Button
          variant="primary"
          icon={<SendHorizontal aria-hidden className="icon" />}
          busy={post.isPending}
          onClick={send}
        >
          {t('debug.send_test')}
        </Button>
        {post.data && <CheckResult isGood>{t('debug.sent')}</CheckResult>}
        {!post.data && <span className="text-12 text-ink-3">{t('debug.by_header')}</span>}
      </div>
    </DebugCard>
  )
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
