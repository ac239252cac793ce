import { Calculator } from 'lucide-react'
import {
  type CardBodyProps,
  formatNumber,
  type ToolCardParts,
  useTranslation,
} from '../../web/platform/ui/card-parts.ts'
import { CopyButton } from '../../web/platform/ui/copy-button.tsx'

const signs: Record<string, string> = { add: '+', subtract: '−', multiply: '×', divide: '÷' }
const write = (value: number) => formatNumber(value, { maximumFractionDigits: 12 })

const card: ToolCardParts = {
  Icon: Calculator,
  summarise: (input) => {
    const { left, sign, right } = readCalculation(input)
    return `${left} ${sign} ${right}`
  },
  explain: (_error, input, t) => (isDivisionByZero(input) ? t('calculator.division_by_zero') : null),
  remedy: () => 'edit',
  Body: Equation,
}

export default card

function Equation({ status, input, result }: CardBodyProps) {
  const { t } = useTranslation('tool_ui')
  const { left, sign, right } = readCalculation(input)
  const value = status === 'done' ? readResult(result) : null
  if (status === 'input' && isDivisionByZero(input))
    return <p className="text-13 text-danger">{t('calculator.division_by_zero')}</p>
  return (
    <div className="num flex items-center gap-2">
      <div className="flex min-h-8 min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
        <span className="self-center text-ink-2">
          {left} {sign} {right} {status !== 'input' && '='}
        </span>
        {status === 'running' && (
          <span aria-hidden className="h-[18px] w-18 animate-pulse self-center rounded-tag bg-surface-3" />
        )}
        {value && (
          <b className="self-center text-22 font-semibold tracking-[-0.02em] wrap-anywhere">{value.shown}</b>
        )}
      </div>
      {value && <CopyButton name={t('calculator.copy')} size="sm" read={() => value.text} />}
    </div>
  )
}

/** Returns the inputs as text; a missing one is blank. */
function readCalculation(input: unknown) {
  const { a, b, operation } = asRecord(input)
  const operand = (value: unknown) => {
    if (value === undefined || value === null || value === '') return '…'
    const number = Number(value)
    return Number.isFinite(number) ? write(number) : String(value)
  }
  return { left: operand(a), sign: signs[String(operation)] ?? '?', right: operand(b) }
}

/** Returns the result in digits, exactly even where a number would be rounded. */
function readResult(result: unknown): { shown: string; text: string } | null {
  const { result: value, exact } = asRecord(result)
  const number = Number(value)
  if (value === undefined || !Number.isFinite(number)) return null
  const text = typeof exact === 'string' ? exact : String(number)
  const isLong = Math.abs(number) > Number.MAX_SAFE_INTEGER
  return { shown: isLong ? text : write(number), text }
}

function isDivisionByZero(input: unknown): boolean {
  const { b, operation } = asRecord(input)
  return operation === 'divide' && b !== undefined && b !== null && String(b).trim() !== '' && Number(b) === 0
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
