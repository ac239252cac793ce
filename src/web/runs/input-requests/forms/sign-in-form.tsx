import { ArrowUpRight } from 'lucide-react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button, buttonLook } from '../../../platform/ui/button.tsx'
import { Foot, type FormProps, Refusal } from './form-parts.tsx'

/**
 * A call that needs the person's account at a service. The run resumes by itself once it is connected, in whatever tab; the
 * person may also resume it, or skip the call.
 */
export function SignInForm({ request, answering, start, frame }: FormProps) {
  const { t } = useTranslation('streaming_blocks')
  const page = request.tool?.account?.page
  const { isSending, send } = answering
  return frame(
    isSending ? 'processing' : 'waiting',
    <>
      {answering.error && (
        <div className="px-4 pb-4">
          <Refusal answering={answering} />
        </div>
      )}
      <Foot start={start}>
        <Button
          variant="ghost"
          disabled={isSending}
          onClick={() => send({ input: null, input_type: 'skipped' })}
        >
          {t('input.sign_in.skip')}
        </Button>
        <Button disabled={isSending} onClick={() => send({ input: true, input_type: 'boolean' })}>
          {t('input.sign_in.resume')}
        </Button>
        {page && (
          <a href={page} target="_blank" rel="noreferrer" className={buttonLook({ variant: 'primary' })}>
            {t('input.sign_in.open')}
            <ArrowUpRight aria-hidden className="icon-14" />
          </a>
        )}
      </Foot>
    </>,
  )
}
