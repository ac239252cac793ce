import { describe, expect, it } from 'vitest'
import { findScheduleWish } from './schedule-wish.ts'

describe('findScheduleWish', () => {
  it('reads requests in English and French', () => {
    expect(findScheduleWish('Do this every Monday at 8')).toMatchObject({
      ...{ text: '', repeats: 'weekdays', days: [1], time: '08:00', is_reminder: false },
    })
    expect(findScheduleWish('Fais ça chaque vendredi à 17h30.')).toMatchObject({
      ...{ text: '', repeats: 'weekdays', days: [5], time: '17:30' },
    })
    expect(findScheduleWish('Summarise the news every day at 7 pm')).toMatchObject({
      ...{ text: 'Summarise the news', repeats: 'days', time: '19:00' },
    })
    expect(findScheduleWish('Check the queue every 30 minutes')).toMatchObject({
      ...{ text: 'Check the queue', repeats: 'minutes', count: 30 },
    })
  })

  it.each([
    ['Remind me every Tuesday to call Bea', 'Call Bea', [2]],
    ['Please remind me every Friday about the timesheets', 'The timesheets', [5]],
    ['Rappelle-moi chaque lundi d’envoyer le rapport', 'Envoyer le rapport', [1]],
    ['Rappelez-moi chaque mardi à 9 h de relancer Bea', 'Relancer Bea', [2]],
    ['Pouvez-vous me rappeler chaque jeudi que le bail expire ?', 'Le bail expire', [4]],
  ])('names what a reminder is about: %s', (text, subject, days) => {
    expect(findScheduleWish(text)).toMatchObject({ text: subject, name: subject, is_reminder: true, days })
  })

  it('takes no question for a request', () => {
    for (const text of ['Is the shop open every Monday?', 'What happens every day at 8?', 'Hello'])
      expect(findScheduleWish(text)).toBeNull()
  })
})
