import type * as z from 'zod/mini'
import { Rule } from '#shared/chat/schedules/rule.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { ToolRun } from '#shared/tools/tools/tool.ts'
import type schedule from './contract.ts'

/** Makes a proposal of the input. It schedules nothing: the person confirms the card. @throws AppError `invalid` */
const run: ToolRun<typeof schedule> = async (input, { executionId }) => {
  const { name, text, is_reminder } = input
  const rule = Rule.safeParse(ruleOf(input))
  if (!rule.success) throw new AppError('invalid', 'The times do not fit the kind of repetition.')
  return {
    ...{ proposal_id: executionId, name, text, is_reminder },
    ...{ rule: rule.data, waits_for_confirmation: true },
  }
}

export default run

function ruleOf({ repeats, count, days, date, time }: z.output<typeof schedule.input>): unknown {
  switch (repeats) {
    case 'once':
      return { kind: 'once', date, time }
    case 'minutes':
    case 'hours':
      return { kind: 'interval', count, unit: repeats }
    case 'days':
      return { kind: 'days', count, time }
    case 'weekdays':
    case 'month_days':
      return { kind: repeats, days, time }
    default:
      return repeats satisfies never
  }
}
