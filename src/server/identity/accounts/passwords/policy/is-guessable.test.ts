import { describe, expect, it } from 'vitest'
import { isCommon, isPersonal } from './is-guessable.ts'

describe('isCommon', () => {
  it.each([
    ...[
      'password',
      'Password1!',
      'P@ssw0rd2024!',
      'azerty123',
      'AZERTYUIOP',
      'qwertyuiop',
      '12345678',
      '87654321',
    ],
    ...[
      'aaaaaaaa',
      'abcabcabc',
      'abcd1234',
      '1qaz2wsx',
      'MotDePasse1',
      'Été2024!!',
      'passwordpassword',
      'qwerty-12345',
    ],
    ...[
      'letmein!!',
      'Bienvenue2025',
      'iloveyou',
      'asdfjkl;',
      '00000000',
      'p-a-s-s-w-o-r-d',
      '!!!!!!!!!!',
      'a1b2c3d4',
    ],
  ])('refuses %s', (password) => expect(isCommon(password)).toBe(true))

  it.each([
    ...['correct horse', 'quiet-harbour-19', 'my next one', 'Xk9#mQ2$vL', 'another horse 7', '5829301847362'],
    ...[
      'geheim-42',
      'chat perché sous la pluie',
      '密码很长但不常见的句子',
      'summerhouse by the lake',
      'new-password',
    ],
  ])('accepts %s', (password) => expect(isCommon(password)).toBe(false))
})

describe('isPersonal', () => {
  const names = ['ada.l', 'Ada Lovelace', 'countess@example.com']
  it.each([
    'lovelace1815',
    'Ada-Lovelace',
    'l0v3l@ce99',
    'Atrium2024!',
    'countess@example.com',
    'example123',
    'ada12345',
  ])('refuses %s', (password) => expect(isPersonal(password, names)).toBe(true))
  it.each(['canadair fleet', 'ada rides a horse', 'correct horse'])('accepts %s', (password) =>
    expect(isPersonal(password, names)).toBe(false),
  )
})
