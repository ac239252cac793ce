import { Fragment, useState } from 'react'
import type { InputField } from '#shared/runs/runs/request.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { fieldsFor, toAnswer } from '../answer-draft.ts'
import { RequestField } from '../request-field.tsx'
import { linesOf } from '../request-words.ts'
import { type DraftControl, useDraft } from '../use-draft.ts'
import { DeadlineNote, Foot, type FormProps, Refusal } from './form-parts.tsx'

/** A plan to approve: its numbered lines, which the person can change before. */
export function PlanForm({ request, answering, start, frame }: FormProps) {
  const fields = fieldsFor(request) ?? []
  const [field] = fields
  const control = useDraft(request.id, fields)
  const [isEditing, setEditing] = useState(false)
  if (!field) return frame('waiting', null)
  const lines = linesOf(control.draft[field.name])
  const isChanged = lines.join('\n') !== linesOf(field.value).join('\n')
  return frame(
    answering.isSending ? 'processing' : 'waiting',
    <form
      noValidate
      className="flex min-h-0 flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        if (lines.length > 0) answering.send(toAnswer(request, fields, control.draft))
      }}
    >
      <div className="grid min-h-0 gap-4 overflow-y-auto p-4">
        {isEditing ? (
          <RequestField
            {...{ field, control }}
            problem={lines.length === 0 ? { kind: 'required' } : undefined}
            refusal={answering.fieldErrors[0]?.message}
          />
        ) : (
          <PlanLines lines={lines} name={field.label} />
        )}
        <Refusal answering={answering} />
      </div>
      <Foot
        start={
          <>
            {start}
            <span className="text-12 text-ink-3">
              <DeadlineNote request={request} />
            </span>
          </>
        }
      >
        <Buttons
          {...{ field, control, isEditing, setEditing, isChanged }}
          isSending={answering.isSending}
          isEmpty={lines.length === 0}
        />
      </Foot>
    </form>,
  )
}

function PlanLines({ lines, name }: { lines: readonly string[]; name: string }) {
  return (
    <ol aria-label={name} className="list-decimal space-y-1.5 pl-6 text-14 marker:text-ink-3">
      {lines.map((line) => (
        <li key={line} dir="auto" className="wrap-anywhere">
          {line}
        </li>
      ))}
    </ol>
  )
}

type ButtonsProps = {
  field: InputField
  control: DraftControl
  isEditing: boolean
  setEditing: (isEditing: boolean) => void
  isChanged: boolean
  isEmpty: boolean
  isSending: boolean
}

function Buttons({ field, control, isEditing, setEditing, isChanged, isEmpty, isSending }: ButtonsProps) {
  const { t } = useTranslation('streaming_blocks')
  const discard = () => {
    control.set(field.name, field.value ?? '')
    setEditing(false)
  }
  // Keyed, because otherwise the same click would press the button that replaces the clicked one.
  return (
    <Fragment key={String(isEditing)}>
      {isEditing ? (
        <Button variant="ghost" disabled={isSending} onClick={discard}>
          {t('input.plan.discard')}
        </Button>
      ) : (
        <Button disabled={isSending} onClick={() => setEditing(true)}>
          {t('input.plan.change')}
        </Button>
      )}
      <Button type="submit" variant="primary" busy={isSending} disabled={isEmpty}>
        {t(isChanged ? 'input.plan.approve_changed' : 'input.plan.approve')}
      </Button>
    </Fragment>
  )
}
