import { type ReactNode, useState } from 'react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { checkDraft, fieldsFor, isTranscribing, toAnswer } from '../answer-draft.ts'
import type { AskState } from '../ask-frame.tsx'
import { RequestField } from '../request-field.tsx'
import { useDraft } from '../use-draft.ts'
import { DeadlineNote, Foot, type FormProps, Refusal } from './form-parts.tsx'

/** A question with typed fields. */
export function QuestionForm({ request, answering, start, frame, isWide }: FormProps) {
  const { t } = useTranslation('streaming_blocks')
  const fields = fieldsFor(request)
  const control = useDraft(request.id, fields ?? [])
  const [isChecked, setChecked] = useState(false)
  const skip = request.skippable && (
    <Button
      variant="ghost"
      disabled={answering.isSending}
      onClick={() => answering.send({ input: null, input_type: 'skipped' })}
    >
      {t('input.skip')}
    </Button>
  )
  if (!fields)
    return frame('waiting', <Unsupported types={request.input_types} start={start} actions={skip} />)
  const { problems, isEmpty } = checkDraft(fields, control.draft)
  const isReady = !isEmpty && problems.size === 0
  const state = stateOf(answering.isSending, isTranscribing(control.draft), isReady)
  const submit = () => {
    setChecked(true)
    if (isReady) answering.send(toAnswer(request, fields, control.draft))
  }
  return frame(
    state,
    <form
      noValidate
      className="flex min-h-0 flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <div className={`grid min-h-0 items-start gap-4 overflow-y-auto p-4 ${isWide ? 'md:grid-cols-2' : ''}`}>
        {fields.map((field) => (
          <RequestField
            key={field.name}
            field={field}
            control={control}
            problem={isChecked ? problems.get(field.name) : undefined}
            refusal={answering.fieldErrors.find(({ path }) => path === `input.${field.name}`)?.message}
          />
        ))}
        <Refusal answering={answering} />
      </div>
      <Foot start={start}>
        <Notice isMissing={isChecked && isEmpty} hasSeveral={fields.length > 1} request={request} />
        {skip}
        <Button type="submit" variant="primary" busy={answering.isSending}>
          {t('input.send')}
        </Button>
      </Foot>
    </form>,
  )
}

function stateOf(isSending: boolean, isBusy: boolean, isReady: boolean): AskState {
  if (isSending) return 'processing'
  if (isBusy) return 'transcribing'
  return isReady ? 'ready' : 'waiting'
}

type NoticeProps = { isMissing: boolean; hasSeveral: boolean; request: FormProps['request'] }

function Notice({ isMissing, hasSeveral, request }: NoticeProps) {
  const { t } = useTranslation('streaming_blocks')
  if (isMissing)
    return (
      <span role="alert" className="text-12 text-danger">
        {t('input.at_least_one')}
      </span>
    )
  return (
    <span className="text-12 text-ink-3">
      {request.deadline ? <DeadlineNote request={request} /> : hasSeveral && t('input.at_least_one')}
    </span>
  )
}

/** Says that an input type is not supported. */
function Unsupported({ types, start, actions }: { types: string[]; start: ReactNode; actions: ReactNode }) {
  const { t } = useTranslation('streaming_blocks')
  return (
    <>
      <div className="p-4">
        <Callout title={t('input.unsupported')}>
          {t('input.unsupported_types', { types: types.join(', ') })}
        </Callout>
      </div>
      {(start || actions) && <Foot start={start}>{actions}</Foot>}
    </>
  )
}
