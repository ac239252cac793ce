import { expect, it } from 'vitest'
import { addressesOf } from './addresses-of.ts'

it.each([
  ['bob@example.org', ['bob@example.org']],
  ['Bob <bob@example.org>, eve@example.net', ['bob@example.org', 'eve@example.net']],
  ['"chief@example.com" <eve@example.net>', ['eve@example.net']],
  ['"a, chief@example.com \\" b" <eve@example.net>', ['eve@example.net']],
  ['chief@example.com <eve@example.net>', ['eve@example.net']],
  ['eve@example.net (chief@example.com)', ['eve@example.net']],
  ['(chief@example.com (or) boss@example.com) eve@example.net', ['eve@example.net']],
  ['Team: bob@example.org, Eve <eve@example.net>;', ['bob@example.org', 'eve@example.net']],
  ['undisclosed-recipients:;', []],
])('reads the addresses of %j, and none of a name or a comment', (header, addresses) => {
  expect(addressesOf(header)).toEqual(addresses)
})

it('reads a long header in a short time', () => {
  const began = performance.now()
  expect(addressesOf(`${'"\\('.repeat(200_000)} bob@example.org`).length).toBeLessThanOrEqual(1)
  expect(performance.now() - began).toBeLessThan(2_000)
})
