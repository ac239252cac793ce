import { describe, expect, it } from 'vitest'
import { Email, readAddress } from './email.ts'

describe('Email', () => {
  it.each([
    ['full-width letters', 'ａｄｍｉｎ@example.com', 'admin@example.com'],
    ['a full-width @', 'admin＠example.com', 'admin@example.com'],
    ['a dot at the end of the domain', 'admin@example.com.', 'admin@example.com'],
    ['a domain in capitals', 'Admin@EXAMPLE.com', 'Admin@example.com'],
    ['a domain of another script', 'a@müller.de', 'a@xn--mller-kva.de'],
    ['a decomposed domain', 'a@mu\u0308ller.de', 'a@xn--mller-kva.de'],
    ['an ideographic full stop', 'a@müller。de', 'a@xn--mller-kva.de'],
    ['a small K that is a sign', 'a@\u212Aelvin.example', 'a@kelvin.example'],
    ['white space around it', ' a@example.com ', 'a@example.com'],
  ])('normalizes an address with %s', (_, given, stored) => {
    expect(Email.parse(given)).toBe(stored)
  })

  it.each([
    ['a zero-width space', 'adm\u200Bin@example.com'],
    ['a zero-width joiner', 'adm\u200Din@example.com'],
    ['a soft hyphen', 'ad\u00ADmin@example.com'],
    ['a soft hyphen in the domain', 'admin@exam\u00ADple.com'],
    ['a zero-width space in the domain', 'admin@exam\u200Bple.com'],
    ['a direction control', '\u202Eadmin@example.com'],
    ['a byte order mark inside', 'ad\uFEFFmin@example.com'],
    ['a control character', 'ad\u0000min@example.com'],
    ['a variation selector', 'admin\uFE0F@example.com'],
    ['a Hangul filler', 'admin\u3164@example.com'],
    ['a Turkish dotless i', 'adm\u0131n@example.com'],
    ['a capital I with a dot', 'adm\u0130n@example.com'],
    ['a Cyrillic letter', '\u0430dmin@example.com'],
    ['a combining mark', 'admi\u0301n@example.com'],
    ['two @', 'a@b@example.com'],
    ['a top-level domain of another script', 'a@пример.рф'],
    ['a path in its domain', 'a@пример/x.рф'],
    ['two dots at the end', 'a@example.com..'],
    ['a new line', 'a@example.com\nb@example.com'],
  ])('rejects an address with %s', (_, given) => {
    expect(Email.safeParse(given).success).toBe(false)
    expect(readAddress(given)).toBeNull()
  })
})
