import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type MailSecurity,
  type MailSettings,
  removeMailSettings,
  setMailSettings,
  testMail,
} from '#shared/lifecycle/setup/setup.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'

export const mailKey = ['mail-settings']

type MailDraft = {
  host: string
  port: string
  security: MailSecurity
  username: string
  password: string
  sender: string
}
export type MailProblems = Partial<Record<keyof MailDraft, 'missing' | 'port_wrong' | 'sender_wrong'>>

/** State of the mail server form. Settings are saved after a test mail to the user was sent. */
export function useMailForm({ settings, onDone }: { settings: MailSettings; onDone: () => void }) {
  const [draft, setDraft] = useState<MailDraft>(() => draftOf(settings))
  const [isChecked, setChecked] = useState(false)
  const isFixed = settings.source === 'environment'
  const problems = isFixed ? {} : problemsOf(draft)
  const test = useMutation({
    mutationFn: async () => {
      const tried = await call(testMail, { body: isFixed ? {} : { settings: bodyOf(draft) } })
      if (tried.outcome !== 'sent' || isFixed) return tried
      await call(setMailSettings, { body: bodyOf(draft) })
      // Refetched when shown next. The form stays unchanged next to its result.
      await queryClient.invalidateQueries({ queryKey: mailKey, refetchType: 'none' })
      return tried
    },
    onSuccess: ({ outcome }) => outcome === 'sent' && onDone(),
  })
  const removal = useMutation({
    mutationFn: () => call(removeMailSettings),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: mailKey }),
  })
  return {
    draft,
    problems: isChecked ? problems : {},
    test: test.data,
    failure: test.error ?? removal.error,
    isBusy: test.isPending,
    change: (next: Partial<MailDraft>) => {
      test.reset()
      setDraft({ ...draft, ...next })
    },
    submit: () => {
      setChecked(true)
      if (Object.keys(problems).length === 0 && !test.isPending) test.mutate()
    },
    remove: () => removal.mutate(),
  }
}

export type MailForm = ReturnType<typeof useMailForm>

/** Default port per encryption mode, used unless the user has entered another. */
export const usualPorts: Record<MailSecurity, string> = { starttls: '587', tls: '465', none: '25' }

function draftOf({ host, port, security, username, sender }: MailSettings): MailDraft {
  return { host, port: String(port), security, username: username ?? '', password: '', sender }
}

function bodyOf({ host, port, username, password, ...rest }: MailDraft) {
  return {
    ...rest,
    host: host.trim(),
    port: Number(port),
    username: username.trim() || null,
    password: password || null,
  }
}

function problemsOf({ host, port, sender }: MailDraft): MailProblems {
  const problems: MailProblems = {}
  if (host.trim() === '') problems.host = 'missing'
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535) problems.port = 'port_wrong'
  if (!sender.includes('@')) problems.sender = 'sender_wrong'
  return problems
}
