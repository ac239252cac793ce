import { describe, expect, it } from 'vitest'
import type { Rule } from '#shared/chat/schedules/rule.ts'
import { sayRule } from './texts.ts'

const time = '08:00'

describe('sayRule', () => {
  it.each<[Rule, string, string]>([
    [
      { kind: 'once', date: '2027-02-01', time },
      'Once on 1 February 2027 at 08:00, Europe/Paris',
      'Une fois, le 1er février 2027 à 08:00, Europe/Paris',
    ],
    [{ kind: 'interval', count: 1, unit: 'hours' }, 'Every hour, Europe/Paris', 'Chaque heure, Europe/Paris'],
    [
      { kind: 'interval', count: 30, unit: 'minutes' },
      'Every 30 minutes, Europe/Paris',
      'Toutes les 30 minutes, Europe/Paris',
    ],
    [
      { kind: 'days', count: 1, time },
      'Every day at 08:00, Europe/Paris',
      'Chaque jour à 08:00, Europe/Paris',
    ],
    [
      { kind: 'days', count: 3, time },
      'Every 3 days at 08:00, Europe/Paris',
      'Tous les 3 jours à 08:00, Europe/Paris',
    ],
    [
      { kind: 'weekdays', days: [5, 1], time },
      'Every Monday and Friday at 08:00, Europe/Paris',
      'Chaque lundi et vendredi à 08:00, Europe/Paris',
    ],
    [
      { kind: 'month_days', days: [-1, 15, 1], time },
      'Every month on day 1, day 15 and the last day at 08:00, Europe/Paris',
      'Chaque mois, le 1er, le 15 et le dernier jour, à 08:00, Europe/Paris',
    ],
  ])('says %o in both languages', (rule, english, french) => {
    expect(sayRule({ rule, time_zone: 'Europe/Paris' }, 'en')).toBe(english)
    expect(sayRule({ rule, time_zone: 'Europe/Paris' }, 'fr')).toBe(french)
  })
})
