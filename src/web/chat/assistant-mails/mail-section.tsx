import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type AssistantMail,
  changeAssistantMail,
  getAssistantMail,
} from '#shared/chat/assistant-mails/assistant-mails.ts'
import type { Assistant } from '#shared/chat/assistants/assistants.ts'
import { isSender } from '#shared/chat/schedules/senders.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Switch } from '../../platform/ui/checkbox.tsx'
import { CopyButton } from '../../platform/ui/copy-button.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { Input, Textarea } from '../../platform/ui/input.tsx'
import { Delayed, Skeleton } from '../../platform/ui/states/skeleton.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { RecentMails } from './recent-mails.tsx'

/** Mails arrive without the browser, so an open list looks again. */
const LOOK_AGAIN_MS = 10_000
const keyOf = (assistantId: string) => ['assistant-mail', assistantId]

/** The mail address of an assistant: whether it answers, to whom, and the latest mails. */
export function MailSection({ assistant: { id } }: { assistant: Assistant }) {
  const { t } = useTranslation('assistant_mails')
  const { data, error } = useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) => call(getAssistantMail, { params: { assistantId: id }, signal }),
    refetchInterval: LOOK_AGAIN_MS,
  })
  const change = async (body: { is_on?: boolean; senders?: string[] }) => {
    const changed = await call(changeAssistantMail, { params: { assistantId: id }, body })
    queryClient.setQueryData(keyOf(id), changed)
  }
  return (
    <>
      <header>
        <h2 className="text-16 font-semibold">{t('title')}</h2>
        <p className="mt-1 text-13 leading-[19px] text-ink-3">{t('reason')}</p>
      </header>
      {error && !data && <Callout tone="danger">{errorText(t, error)}</Callout>}
      {!data && !error && (
        <Delayed>
          <Skeleton className="h-40 rounded-card" />
        </Delayed>
      )}
      {data && <Settings mail={data} change={change} />}
      {data && data.recent.length > 0 && <RecentMails mails={data.recent} />}
    </>
  )
}

type SettingsProps = {
  mail: AssistantMail
  change: (body: { is_on?: boolean; senders?: string[] }) => Promise<void>
}

function Settings({ mail, change }: SettingsProps) {
  const { t } = useTranslation('assistant_mails')
  const { run, isPending } = useAction(async () => {
    try {
      await change({ is_on: !mail.is_on })
    } catch (error) {
      void toast.error(errorText(t, error))
    }
  })
  const { is_on, can_receive, can_send, answers_for, address } = mail
  return (
    <div className="grid gap-4 rounded-card border border-line p-4">
      <Switch
        label={t('on')}
        checked={is_on}
        disabled={isPending || (!is_on && !(can_receive && can_send))}
        onCheckedChange={() => void run()}
      />
      <p className="text-13 text-ink-2">
        {answers_for === null ? t('rights_yours') : t('rights', { name: answers_for })}
      </p>
      {!can_receive && <Callout tone="warning">{t('no_mailbox')}</Callout>}
      {!can_send && <Callout tone="warning">{t('no_server')}</Callout>}
      {is_on && can_receive && !mail.is_read && <Callout tone="danger">{t('not_read')}</Callout>}
      {is_on && can_receive && !mail.verifies_senders && (
        <Callout tone="warning">{t('not_verified')}</Callout>
      )}
      {is_on && address !== null && (
        <Field label={t('address')}>
          <Input
            readOnly
            value={address}
            className="font-mono text-13"
            onFocus={({ target }) => target.select()}
            end={<CopyButton name={t('copy_address')} size="xs" read={() => address} />}
          />
        </Field>
      )}
      <SenderList senders={mail.senders} save={(senders) => change({ senders })} />
    </div>
  )
}

type ListProps = { senders: string[]; save: (senders: string[]) => Promise<void> }

/** The people who may write, one address or domain per line. */
function SenderList({ senders, save }: ListProps) {
  const { t } = useTranslation('assistant_mails')
  const [text, setText] = useState<string | null>(null)
  const typed = sendersIn(text ?? '')
  const wrong = text === null ? [] : typed.filter((one) => !isSender(one))
  const { run, isPending, error } = useAction(async () => {
    await save(typed)
    setText(null)
    void toast.success(t('saved'))
  })
  const problem = wrong.length > 0 ? t('wrong_senders', { names: wrong.join(', ') }) : undefined
  return (
    <>
      <Field label={t('senders')} hint={t('senders_hint')} error={problem}>
        <Textarea
          value={text ?? senders.join('\n')}
          maxLength={10_000}
          spellCheck={false}
          autoCapitalize="off"
          placeholder="@example.com"
          className="min-h-20"
          onChange={({ target }) => setText(target.value)}
        />
      </Field>
      {error !== null && <Callout tone="danger">{errorText(t, error)}</Callout>}
      <div className="flex justify-end">
        <Button
          busy={isPending}
          disabled={text === null || wrong.length > 0 || typed.join('\n') === senders.join('\n')}
          onClick={() => void run()}
        >
          {t('save')}
        </Button>
      </div>
    </>
  )
}

function sendersIn(text: string): string[] {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '')
  return [...new Set(parts.map((part) => part.toLowerCase()))]
}
