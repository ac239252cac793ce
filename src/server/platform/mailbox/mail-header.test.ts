import { describe, expect, it } from 'vitest'
import { idOf, isAutomatic, readHeader, senderOf, tokensOf } from './mail-header.ts'

const headerOf = (...lines: string[]) => readHeader(Buffer.from(`${lines.join('\r\n')}\r\n\r\nText`)) ?? []

describe('the header of a mail', () => {
  it('is unfolded and keeps the order of its lines', () => {
    expect(headerOf('Subject: one', ' two', 'X-Line:three', 'no colon')).toEqual([
      { name: 'subject', value: 'one two' },
      { name: 'x-line', value: 'three' },
    ])
    expect(readHeader(Buffer.from('Subject: endless'))).toBeNull()
  })

  it.each([
    ['ada@example.com', 'ada@example.com'],
    ['Ada <Ada@Example.com>', 'ada@example.com'],
    ['"Lovelace, Ada (x) <boss@example.com>" <ada@example.com>', 'ada@example.com'],
    ['=?utf-8?q?boss=40example.com?= <ada@example.com>', 'ada@example.com'],
    ['boss@example.com <ada@example.com>', null],
    ['boss@example.com, <ada@example.com>', null],
    ['ada@example.com, bob@example.com', null],
    ['Team: ada@example.com;', null],
    ['<boss@example.com> <ada@example.com>', null],
    ['(boss@example.com) ada@example.com', null],
    ['', null],
  ])('names the sender of %s as %s', (from, sender) => {
    expect(senderOf(headerOf(`From: ${from}`))).toBe(sender)
  })

  it('names no sender when there are two lines or none', () => {
    expect(senderOf(headerOf('From: ada@example.com', 'From: bob@example.com'))).toBeNull()
    expect(senderOf(headerOf('Sender: ada@example.com'))).toBeNull()
  })

  it('finds the tokens of all addressees, and only those of the mailbox', () => {
    const header = headerOf(
      'To: Atrium <atrium+aaaaaaaa@example.com>, x-atrium+bbbbbbbb@example.com, atrium+cccccccc@example.com.evil.org',
      'Cc: ATRIUM+DDDDDDDD@EXAMPLE.COM',
      'Delivered-To: atrium+aaaaaaaa@example.com',
      'Subject: atrium+eeeeeeee@example.com',
    )
    expect(tokensOf(header, 'atrium@example.com')).toEqual(['aaaaaaaa', 'dddddddd'])
  })

  it('gives an id to a mail without a usable Message-ID, which depends on its header', () => {
    expect(idOf(headerOf('Message-ID: <a@b>'))).toBe('a@b')
    const [one, other] = ['one', 'other'].map((subject) => idOf(headerOf(`Subject: ${subject}`)))
    expect(one).toMatch(/^sha256:[0-9a-f]{64}$/)
    expect(one).not.toBe(other)
    expect(idOf(headerOf(`Message-ID: <${'a'.repeat(300)}>`))).toMatch(/^sha256:/)
  })

  it.each([
    [true, 'Auto-Submitted: auto-replied (absent)'],
    [false, 'Auto-Submitted: no'],
    [true, 'Precedence: bulk'],
    [true, 'Precedence: list'],
    [true, 'Return-Path: <>'],
    [false, 'Return-Path: <ada@example.com>'],
  ])('is automatic: %s for %s', (isIt, line) => {
    expect(isAutomatic(headerOf('From: ada@example.com', line))).toBe(isIt)
  })
})
