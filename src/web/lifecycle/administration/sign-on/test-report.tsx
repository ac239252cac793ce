import { CircleCheck, CircleMinus, CircleX, FlaskConical, type LucideIcon, TriangleAlert } from 'lucide-react'
import { Fragment } from 'react'
import type { TestFact, TestResult } from '#shared/identity/accounts/sign-on-providers.ts'
import { formatDate, formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'

type TestReportProps = {
  /** Undefined before the first test. */
  result: { works: boolean; results: TestResult[] } | undefined
  isBusy: boolean
  onTest: () => void
}

const marks: Record<TestResult['state'], { Icon: LucideIcon; ink: string }> = {
  passed: { Icon: CircleCheck, ink: 'text-success' },
  warning: { Icon: TriangleAlert, ink: 'text-warning' },
  failed: { Icon: CircleX, ink: 'text-danger' },
  skipped: { Icon: CircleMinus, ink: 'text-ink-3' },
}

/** The test of the settings in the form, and what each step received. */
export function TestReport({ result, isBusy, onTest }: TestReportProps) {
  const { t } = useTranslation('admin')
  const { Icon, ink } = marks[result ? (result.works ? 'passed' : 'failed') : 'skipped']
  const title = result ? (result.works ? 'works' : 'fails') : 'untested'
  return (
    <section className="sign-on-report">
      <header>
        {result ? (
          <Icon aria-hidden className={`icon ${ink}`} />
        ) : (
          <FlaskConical aria-hidden className="icon" />
        )}
        <span role="status" className="flex-1 font-medium">
          {t(`administration.sign_on.test.${title}`)}
        </span>
        <Button size="sm" busy={isBusy} onClick={onTest}>
          {t(`administration.sign_on.test.${result ? 'again' : 'run'}`)}
        </Button>
      </header>
      {result && (
        <dl>
          {result.results.map((one, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a step may come more than once, in a fixed order.
            <Step key={at} result={one} />
          ))}
        </dl>
      )}
    </section>
  )
}

function Step({ result: { step, state, problem, detail, facts } }: { result: TestResult }) {
  const { t } = useTranslation('admin')
  const { Icon, ink } = marks[state]
  const sentence = problem
    ? t(`administration.sign_on.problem.${problem}`)
    : t(`administration.sign_on.state.${state}`)
  return (
    <>
      <dt>{t(`administration.sign_on.step.${step}`)}</dt>
      <dd className="grid min-w-0 gap-1">
        <span className="flex items-start gap-1.5">
          <Icon aria-hidden className={`icon-14 mt-0.5 flex-none ${ink}`} />
          <span className="min-w-0">{sentence}</span>
        </span>
        {detail && <span className="text-12 break-words text-ink-3">{detail}</span>}
        {facts.length > 0 && (
          <span className="sign-on-facts">
            {facts.map(({ name, value }) => (
              <Fragment key={name}>
                <span>{t(`administration.sign_on.fact.${name}`)}</span>
                <span>{show({ name, value })}</span>
              </Fragment>
            ))}
          </span>
        )}
      </dd>
    </>
  )
}

function show({ name, value }: TestFact): string {
  if (name === 'valid_until') return formatDate(value, { dateStyle: 'long' })
  if (name === 'days_left' || name === 'milliseconds') return formatNumber(Number(value))
  return value
}
