import { describe, expect, it } from 'vitest'
import type { PromptField } from '#shared/chat/prompts/fields.ts'
import { messageOf } from './message-of.ts'

const owner = { language: 'en' as const, username: 'claire', full_name: ' Claire Delmas ' }
const now = new Date('2027-01-03T23:30:00Z')
const template = {
  ...{ text: '', fields: [] as PromptField[], time_zone: 'Europe/Paris' },
  things: [{ kind: 'workspace' as const, id: 'p', name: 'Renewals' }],
}

describe('messageOf', () => {
  it('fills in the built-in fields, empty where a schedule has none', () => {
    const text = '{{today}}|{{user_name}}|{{language}}|{{project}}|{{selected_text}}|{{last_reply}}|{{other}}'
    expect(messageOf({ ...template, text }, owner, now)).toBe(
      '4 January 2027|Claire Delmas|English|Renewals|||{{other}}',
    )
    expect(messageOf({ ...template, text, things: [] }, { ...owner, language: 'fr' }, now)).toBe(
      '4 janvier 2027|Claire Delmas|français||||{{other}}',
    )
  })

  it('writes dates as a prompt does', () => {
    const field = (name: string, value: string): PromptField => ({
      ...{ name, label: '', type: 'date', required: false, value },
    })
    const fields = [field('from', '2027-02-01'), field('to', '{{today}}'), field('never', '')]
    expect(messageOf({ ...template, text: '{{from}}–{{to}}{{never}}', fields }, owner, now)).toBe(
      '1 February 2027–4 January 2027',
    )
  })
})
