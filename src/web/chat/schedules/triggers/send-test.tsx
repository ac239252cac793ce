import { Send } from 'lucide-react'
import { useState } from 'react'
import type { Schedule } from '#shared/chat/schedules/schedules.ts'
import type { CallData } from '#shared/chat/schedules/triggers.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useAction } from '../../../platform/lib/use-action.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Textarea } from '../../../platform/ui/input.tsx'
import { Dialog } from '../../../platform/ui/overlays/dialog.tsx'
import { sendTest } from './delivery-actions.ts'

type Props = { schedule: Schedule; onSent: (deliveryId: string) => void }

/** Sends data as a call would, and then shows the run that it starts. */
export function SendTest({ schedule, onSent }: Props) {
  const { t } = useTranslation('schedules')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon={<Send aria-hidden className="icon-14" />} onClick={() => setOpen(true)}>
        {t('test.send')}
      </Button>
      {isOpen && (
        <TestDialog
          schedule={schedule}
          onClose={() => setOpen(false)}
          onSent={(id) => {
            setOpen(false)
            onSent(id)
          }}
        />
      )}
    </>
  )
}

function TestDialog({ schedule, onSent, onClose }: Props & { onClose: () => void }) {
  const { t } = useTranslation('schedules')
  const [text, setText] = useState(() => exampleOf(schedule))
  const [clientId] = useState(() => crypto.randomUUID())
  const [isChecked, setChecked] = useState(false)
  const data = parse(text)
  const { run, isPending, error } = useAction(async () => {
    if (data) onSent((await sendTest(schedule.id, clientId, data)).id)
  })
  const submit = () => {
    setChecked(true)
    if (data) void run()
  }
  return (
    <Dialog
      open
      size="md"
      onOpenChange={(open) => !open && onClose()}
      title={t('test.title')}
      description={t('test.text')}
      footer={
        <>
          <Button onClick={onClose}>{t('common:actions.cancel')}</Button>
          <Button variant="primary" busy={isPending} onClick={submit}>
            {t('test.send')}
          </Button>
        </>
      }
    >
      <div className="grid gap-3 pt-3">
        <Field label={t('test.data')} error={isChecked && !data ? t('test.no_json') : undefined}>
          <Textarea
            value={text}
            maxLength={60_000}
            spellCheck={false}
            className="min-h-40 font-mono text-13"
            onChange={({ target }) => setText(target.value)}
          />
        </Field>
        {error !== null && <Callout tone="danger">{errorText(t, error)}</Callout>}
      </div>
    </Dialog>
  )
}

/** Returns a body with a value for each field of a schedule. */
function exampleOf({ fields }: Schedule): string {
  const values = fields.map(({ name, options, value }) => [name, value || options?.[0] || name])
  return JSON.stringify(Object.fromEntries(values), null, 2)
}

/** Returns an object of JSON; null for anything else. */
function parse(text: string): CallData | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as CallData) : null
  } catch {
    return null
  }
}
