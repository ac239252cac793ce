import { useRef, useState } from 'react'
import { formatCost, formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Checkbox } from '../../platform/ui/checkbox.tsx'
import { Dialog } from '../../platform/ui/overlays/dialog.tsx'
import { silence, usePriceQuestion } from './agree.ts'

/** Asks before a costly reply begins. The text stays in place until then. */
export default function PriceQuestion() {
  const { t } = useTranslation('streaming_blocks')
  const question = usePriceQuestion((state) => state.question)
  const [isLast, setLast] = useState(false)
  const safe = useRef<HTMLButtonElement>(null)
  const close = () => {
    usePriceQuestion.setState({ question: null })
    setLast(false)
  }
  const agree = () => {
    if (isLast && question) silence(question.sessionId)
    close()
    question?.agree()
  }
  const { low, high, runs } = question?.price ?? { low: 0, high: 0, runs: 0 }
  const words = { low: formatCost(low), high: formatCost(high), count: runs, shown: formatNumber(runs) }
  return (
    <Dialog
      open={question !== null}
      onOpenChange={(isOpen) => !isOpen && close()}
      title={t('price.title')}
      description={t('price.text', words)}
      initialFocus={safe}
      footer={
        <>
          <Button ref={safe} onClick={close}>
            {t('price.not_now')}
          </Button>
          <Button variant="primary" onClick={agree}>
            {t('price.go_on')}
          </Button>
        </>
      }
    >
      <Checkbox className="mt-3" checked={isLast} onCheckedChange={setLast} label={t('price.silence')} />
    </Dialog>
  )
}
