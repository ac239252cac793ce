import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Foot, type FormProps, Refusal } from './form-parts.tsx'

const choices = ['stop', 'skip', 'retry'] as const

/** An interrupted call with an unknown outcome: the person may run it again, continue without it, or stop. */
export function InterruptedForm({ request, answering, start, frame }: FormProps) {
  return frame(
    answering.isSending ? 'processing' : 'waiting',
    <>
      {answering.error && (
        <div className="p-4">
          <Refusal answering={answering} />
        </div>
      )}
      <Foot start={start}>
        <InterruptedChoices request={request} answering={answering} isPrimary />
      </Foot>
    </>,
  )
}

/** The three choices; in a row none of them is emphasized. An approver does not stop the run of another person. */
export function InterruptedChoices({
  request,
  answering,
  isPrimary = false,
}: Pick<FormProps, 'request' | 'answering'> & { isPrimary?: boolean }) {
  const { t } = useTranslation('streaming_blocks')
  const shown = choices.filter((choice) => choice !== 'stop' || !request.approver)
  return shown.map((choice) => (
    <Button
      key={choice}
      variant={choice === 'stop' ? 'ghost' : choice === 'retry' && isPrimary ? 'primary' : 'secondary'}
      disabled={answering.isSending}
      onClick={() => answering.send({ input: choice, input_type: 'text' })}
    >
      {t(`input.choices.${choice}`)}
    </Button>
  ))
}
