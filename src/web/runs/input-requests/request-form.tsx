import { lazy, type ReactElement, type ReactNode, Suspense } from 'react'
import { loadTexts } from '../../platform/i18n/i18n.ts'
import type { AskState } from './ask-frame.tsx'
import { ApprovalForm } from './forms/approval-form.tsx'
import { InterruptedForm } from './forms/interrupted-form.tsx'
import { PlanForm } from './forms/plan-form.tsx'
import { QuestionForm } from './forms/question-form.tsx'
import { SignInForm } from './forms/sign-in-form.tsx'
import { forgetDraft } from './kept-drafts.ts'
import { isPlan } from './request-words.ts'
import { type Asked, useAnswer } from './use-answer.ts'

const DraftForm = lazy(async () => {
  const [file] = await Promise.all([import('./forms/draft-form.tsx'), loadTexts('actions')])
  return { default: file.DraftForm }
})

type RequestFormProps = Asked & {
  /** Called when the request no longer waits. */
  onSettled: () => void
  start?: ReactNode
  isWide?: boolean
  frame: (state: AskState, content: ReactNode) => ReactElement
}

/** The form that answers a request, by its kind. */
export function RequestForm({
  sessionId,
  request,
  onSettled,
  start,
  isWide = false,
  frame,
}: RequestFormProps) {
  const answering = useAnswer({ sessionId, request }, () => {
    forgetDraft(request.id)
    onSettled()
  })
  const props = { request, answering, start, isWide, frame }
  if (request.kind === 'approval' && request.tool?.draft)
    return (
      <Suspense fallback={frame('waiting', <div aria-busy className="min-h-60" />)}>
        <DraftForm {...props} />
      </Suspense>
    )
  if (request.kind === 'approval') return <ApprovalForm {...props} />
  if (request.kind === 'sign_in') return <SignInForm {...props} />
  if (isPlan(request)) return <PlanForm {...props} />
  return request.kind === 'interrupted' ? <InterruptedForm {...props} /> : <QuestionForm {...props} />
}
