import { expect, it } from 'vitest'
import { findFault, readNumber } from './field-value.ts'

it.each([
  ['12', 12],
  ['-3.5', -3.5],
  ['12,5', 12.5],
  ['10 908', 10_908],
  ['10\u202f908,25', 10_908.25],
  ['1.2.3', null],
  ['1e9', null],
  ['Infinity', null],
  ['twelve', null],
  ['', null],
])('reads %j as %j', (text, number) => expect(readNumber(text)).toBe(number))

it.each([
  ['date', '2026-02-28', null],
  ['date', '2026-02-30', 'date'],
  ['date', '28/02/2026', 'date'],
  ['number', '7', null],
  ['number', 'seven', 'number'],
  ['choice', 'b', null],
  ['choice', 'c', 'choice'],
  ['text', 'anything', null],
  ['date', '', null],
] as const)('finds in a %s with %j the fault %j', (type, text, fault) => {
  expect(findFault({ type, options: ['a', 'b'] }, text)).toBe(fault)
})
