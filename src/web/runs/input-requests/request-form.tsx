import type { ReactElement, ReactNode } from 'react'
import { ApprovalForm } from './approval-form.tsx'
import type { AskState } from './ask-frame.tsx'
import { InterruptedForm } from './interrupted-form.tsx'
import { forgetDraft } from './kept-drafts.ts'
import { PlanForm } from './plan-form.tsx'
import { QuestionForm } from './question-form.tsx'
import { isPlan } from './request-words.ts'
import { type Asked, useAnswer } from './use-answer.ts'

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
  if (request.kind === 'approval') return <ApprovalForm {...props} />
  if (isPlan(request)) return <PlanForm {...props} />
  return request.kind === 'interrupted' ? <InterruptedForm {...props} /> : <QuestionForm {...props} />
}
