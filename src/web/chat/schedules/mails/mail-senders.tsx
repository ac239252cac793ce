import { useState } from 'react'
import type { EventRule } from '#shared/chat/schedules/rule.ts'
import { isSender } from '#shared/chat/schedules/senders.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Field } from '../../../platform/ui/field.tsx'
import { Textarea } from '../../../platform/ui/input.tsx'
import type { FormProps } from '../editor/schedule-draft.ts'

type Props = Pick<FormProps, 'change'> & {
  rule: Extract<EventRule, { kind: 'mail' }>
  hasProblem: boolean
}

/** The people besides the owner whose mails start a schedule, one address or domain per line. */
export function MailSenders({ rule, change, hasProblem }: Props) {
  const { t } = useTranslation('schedules')
  const { senders } = rule
  const [text, setText] = useState(senders.join('\n'))
  // Discarded edits show what is stored again.
  const isTyped = sendersIn(text).join('\n') === senders.join('\n')
  const wrong = hasProblem ? senders.filter((one) => !isSender(one)) : []
  return (
    <Field
      label={t('mail.senders')}
      hint={t('mail.senders_hint')}
      error={wrong.length > 0 ? t('mail.wrong_senders', { names: wrong.join(', ') }) : undefined}
    >
      <Textarea
        value={isTyped ? text : senders.join('\n')}
        maxLength={10_000}
        spellCheck={false}
        autoCapitalize="off"
        placeholder="@example.com"
        className="min-h-20"
        onChange={({ target }) => {
          setText(target.value)
          change({ rule: { kind: 'mail', senders: sendersIn(target.value) } })
        }}
      />
    </Field>
  )
}

function sendersIn(text: string): string[] {
  const lines = text.split(/[\s,;]+/).filter((line) => line !== '')
  return [...new Set(lines.map((line) => line.toLowerCase()))]
}
