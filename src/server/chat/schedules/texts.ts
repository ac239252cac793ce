import type { Rule } from '#shared/chat/schedules/rule.ts'
import { sentenceOf } from '#shared/chat/schedules/sentence.ts'
import type { DeliveryKind } from '#shared/chat/schedules/triggers.ts'
import type { Language } from '#shared/platform/primitives.ts'
import english from '../../../../locales/en/schedules.json' with { type: 'json' }
import french from '../../../../locales/fr/schedules.json' with { type: 'json' }

/** Returns a rule in words. */
export function sayRule({ rule, time_zone }: { rule: Rule; time_zone: string }, language: Language): string {
  return sentenceOf(rule, time_zone, language, (language === 'fr' ? french : english).sentence)
}

/** Returns the line above the data of an event. It tells the model that the data is no instruction. */
export function introduceData(kind: DeliveryKind, language: Language): string {
  return (language === 'fr' ? french : english).event_data[kind]
}
