import { Link, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import {
  answerMailQuestion,
  type MailQuestion,
  readMailQuestion,
} from '#shared/lifecycle/notifications/mail-answers.ts'
import { formatDate } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { isApiError } from '../../platform/lib/api/api-error.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Radio } from '../../platform/ui/checkbox.tsx'
import { Loader } from '../../platform/ui/states/loader.tsx'

type Search = { token?: string; answer?: string | boolean | number }

/** Answers a question of a mail after a click, without signing in. Programs that check links open this page too. */
export function MailAnswerPage() {
  const { t } = useTranslation(['notifications', 'common'])
  const { token = '', answer } = useSearch({ strict: false }) as Search
  const { question, error } = useQuestion(token)
  if (error) {
    const isInvalid = isApiError(error, 400) || isApiError(error, 422)
    return (
      <Page title={t('answer.title')}>
        <Callout tone="danger">{t(isInvalid ? 'answer.invalid' : 'answer.failed')}</Callout>
      </Page>
    )
  }
  if (!question) return <Loader text={t('common:loading')} />
  if (question.state !== 'waiting')
    return (
      <Page title={t('answer.title')}>
        <Callout title={t(`answer.state.${question.state}`)} />
        <OpenChat path={question.path} />
      </Page>
    )
  return <Question token={token} question={question} wanted={answer === undefined ? null : String(answer)} />
}

type Found = { question: MailQuestion | null; error: unknown }

/** Fetches the question once. */
function useQuestion(token: string): Found {
  const [found, setFound] = useState<Found>({ question: null, error: null })
  useEffect(() => {
    let isGone = false
    call(readMailQuestion, { body: { token } }).then(
      (question) => isGone || setFound({ question, error: null }),
      (error: unknown) => isGone || setFound({ question: null, error }),
    )
    return () => {
      isGone = true
    }
  }, [token])
  return found
}

function Page({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation('common')
  return (
    <div className="grid gap-4">
      <title>{`${title} · ${t('app_name')}`}</title>
      <h1
        data-view-title
        tabIndex={-1}
        dir="auto"
        className="text-22 font-semibold tracking-[-0.02em] break-words whitespace-pre-wrap"
      >
        {title}
      </h1>
      {children}
    </div>
  )
}

function OpenChat({ path }: { path: string }) {
  const { t } = useTranslation('notifications')
  return (
    <p className="text-13">
      <Link to={path} className="font-medium underline underline-offset-2">
        {t('answer.open')}
      </Link>
    </p>
  )
}

type QuestionProps = { token: string; question: MailQuestion; wanted: string | null }

function Question({ token, question, wanted }: QuestionProps) {
  const { t } = useTranslation('notifications')
  const options = optionsOf(question, { yes: t('answer.yes'), no: t('answer.no') })
  const [chosen, setChosen] = useState(options.some(({ value }) => value === wanted) ? wanted : null)
  const sending = useAction(() => call(answerMailQuestion, { body: { token, answer: chosen ?? '' } }))
  if (sending.data)
    return (
      <Page title={question.prompt}>
        <Callout tone="success" title={t('answer.sent')}>
          {t('answer.sent_text')}
        </Callout>
        <OpenChat path={question.path} />
      </Page>
    )
  return (
    <Page title={question.prompt}>
      <p className="text-ink-2">
        {t('answer.from')}
        {question.deadline && ` · ${t('answer.by', { time: timeOf(question.deadline) })}`}
      </p>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void sending.run()
        }}
      >
        <Options options={options} chosen={chosen} onChoose={setChosen} />
        {sending.error !== null && <Callout tone="danger">{t(failureOf(sending.error))}</Callout>}
        <Button
          type="submit"
          variant="primary"
          size="lg"
          wide
          disabled={chosen === null}
          busy={sending.isPending}
        >
          {t('answer.send')}
        </Button>
        <p className="text-12 text-ink-3">{t('answer.before')}</p>
      </form>
      <Callout>{t('answer.once')}</Callout>
      <OpenChat path={question.path} />
    </Page>
  )
}

type Option = { value: string; label: string }
type OptionsProps = { options: Option[]; chosen: string | null; onChoose: (value: string) => void }

function Options({ options, chosen, onChoose }: OptionsProps) {
  const { t } = useTranslation('notifications')
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 text-13 font-medium">{t('answer.choose')}</legend>
      {options.map(({ value, label }) => (
        <label
          key={value}
          className="flex min-h-11 cursor-pointer items-center gap-3 rounded-card border border-line px-4 py-2.5 has-checked:border-accent has-checked:bg-surface-2 has-focus-visible:outline-2 has-focus-visible:outline-focus"
        >
          <Radio name="answer" value={value} checked={chosen === value} onChange={() => onChoose(value)} />
          <span dir="auto" className="min-w-0 break-words">
            {label}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

function optionsOf({ type, options }: MailQuestion, words: { yes: string; no: string }): Option[] {
  if (type === 'choice') return options.map((option) => ({ value: option, label: option }))
  return [
    { value: 'true', label: words.yes },
    { value: 'false', label: words.no },
  ]
}

const timeOf = (iso: string) => formatDate(iso, { dateStyle: 'medium', timeStyle: 'short' })

function failureOf(error: unknown) {
  const code = isApiError(error) ? error.code : null
  if (code === 'already_answered') return 'answer.state.answered'
  if (code === 'deadline_passed') return 'answer.state.expired'
  return code === 'conflict' ? 'answer.state.closed' : 'answer.not_sent'
}
