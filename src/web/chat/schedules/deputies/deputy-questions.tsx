import { useMutation, useQuery } from '@tanstack/react-query'
import {
  answerDeputyQuestion,
  type DeputyQuestion,
  listDeputyQuestions,
} from '#shared/chat/schedules/handing-over.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { formatDate } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { isApiError } from '../../../platform/lib/api/api-error.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { type Answering, QuestionForm } from '../../../runs/input-requests/input-requests.tsx'

const key = ['deputy-questions']

/** Questions of scheduled runs of colleagues that the person is asked as a deputy. They show no chat. */
export function DeputyQuestions() {
  const { t } = useTranslation('schedules')
  const { data } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(listDeputyQuestions, { query: {}, signal }),
    refetchInterval: 60_000,
  })
  if (!data || data.items.length === 0) return null
  return (
    <section aria-label={t('deputy.title')} className="grid gap-2 pb-4">
      <h2 className="flex h-10 items-center text-12 font-medium text-ink-3">{t('deputy.title')}</h2>
      {data.items.map((question) => (
        <Question key={question.slot_id} question={question} />
      ))}
    </section>
  )
}

function Question({ question }: { question: DeputyQuestion }) {
  const { t } = useTranslation('schedules')
  const { request, schedule_name: name, owner_name: owner, skip_at } = question
  const answering = useDeputyAnswer(question.slot_id)
  return (
    <article className="rounded-card border border-line-2">
      <header className="border-b border-line px-4 py-2.5">
        <h3 dir="auto" className="text-14 font-medium">
          {request.prompt}
        </h3>
        <p className="text-12 text-ink-3">
          {t('deputy.from', { name, owner })}
          {skip_at &&
            ` · ${t('log.skipped_at', { time: formatDate(skip_at, { dateStyle: 'medium', timeStyle: 'short' }) })}`}
        </p>
      </header>
      <QuestionForm
        request={request}
        answering={answering}
        start={null}
        isWide
        frame={(_, content) => <>{content}</>}
      />
    </article>
  )
}

function useDeputyAnswer(deputySlotId: string): Answering {
  const { t } = useTranslation('schedules')
  const answer = useMutation({
    mutationFn: (given: Parameters<Answering['send']>[0]) =>
      call(answerDeputyQuestion, { params: { deputySlotId }, body: given }),
    onSuccess: () => toast.success(t('deputy.sent')),
    onError: (error) => toast.error(errorText(t, error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: key }),
  })
  return {
    send: (given) => !answer.isPending && answer.mutate(given),
    isSending: answer.isPending,
    isSent: answer.isSuccess,
    error: answer.error,
    isUnavailable: isApiError(answer.error) && (answer.error.status === 0 || answer.error.status >= 500),
    fieldErrors: isApiError(answer.error) ? answer.error.fields : [],
    forget: answer.reset,
  }
}
