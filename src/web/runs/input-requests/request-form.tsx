import type { ReactElement, ReactNode } from 'react'
import { ApprovalForm } from './approval-form.tsx'
import type { AskState } from './ask-frame.tsx'
import { InterruptedForm } from './interrupted-form.tsx'
import { forgetDraft } from './kept-drafts.ts'
import { QuestionForm } from './question-form.tsx'
import { type Asked, useAnswer } from './use-answer.ts'

type RequestFormProps = Asked & {
  /** The request waits no more. */
  onSettled: () => void
  start?: ReactNode
  isWide?: boolean
  frame: (state: AskState, content: ReactNode) => ReactElement
}

/** The controls that answer a request, by what kind it is. */
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
  return request.kind === 'interrupted' ? <InterruptedForm {...props} /> : <QuestionForm {...props} />
}
