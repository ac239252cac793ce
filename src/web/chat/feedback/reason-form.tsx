import { type FormEvent, useId, useState } from 'react'
import { type Feedback, MAX_COMMENT } from '#shared/chat/feedback/feedback.ts'
import { FeedbackReason } from '#shared/runs/runs/rating.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Checkbox, Radio } from '../../platform/ui/checkbox.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { Textarea } from '../../platform/ui/input.tsx'

type Told = Pick<Feedback, 'reason' | 'comment' | 'is_shown'>
type ReasonFormProps = {
  given: Feedback | null
  onSend: (told: Told) => Promise<void>
  onTakeBack: () => void
}

/** The optional reason of a negative rating. */
export function ReasonForm({ given, onSend, onTakeBack }: ReasonFormProps) {
  const { t } = useTranslation('streaming_blocks')
  const group = useId()
  const [reason, setReason] = useState(given?.reason ?? null)
  const [comment, setComment] = useState(given?.comment ?? '')
  const [isShown, setShown] = useState(given?.is_shown ?? false)
  const names: Record<FeedbackReason, string> = {
    wrong: t('feedback.wrong'),
    unsupported: t('feedback.unsupported'),
    incomplete: t('feedback.incomplete'),
    off_topic: t('feedback.off_topic'),
    style: t('feedback.style'),
    other: t('feedback.other'),
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    void onSend({ reason, comment: comment.trim() || null, is_shown: isShown })
  }
  return (
    <form onSubmit={send} className="grid gap-3">
      <fieldset className="grid gap-1">
        <legend className="mb-1.5 text-13 font-semibold">{t('feedback.reason')}</legend>
        {FeedbackReason.options.map((one) => (
          <label key={one} className="flex min-h-8 cursor-pointer items-center gap-2.5 touch:min-h-11">
            <Radio name={group} checked={reason === one} onChange={() => setReason(one)} />
            {names[one]}
          </label>
        ))}
      </fieldset>
      <Field label={t('feedback.comment')} optional>
        <Textarea
          rows={3}
          maxLength={MAX_COMMENT}
          value={comment}
          onChange={(event) => setComment(event.target.value)}
        />
      </Field>
      <Checkbox checked={isShown} onCheckedChange={setShown} label={t('feedback.show')} />
      <div className="flex justify-end gap-2">
        <Button size="sm" variant="ghost" onClick={onTakeBack}>
          {t('feedback.take_back')}
        </Button>
        <Button size="sm" variant="primary" type="submit">
          {t('feedback.send')}
        </Button>
      </div>
    </form>
  )
}
