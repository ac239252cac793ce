import { expect, it } from 'vitest'
import { placeOf } from './place-of.ts'

it.each([
  ['127.0.0.1', 'here'],
  ['::1', 'here'],
  ['10.20.1.14', 'inside'],
  ['192.168.1.7', 'inside'],
  ['172.16.0.9', 'inside'],
  ['172.31.255.1', 'inside'],
  ['fd12:3456::1', 'inside'],
  ['fe80::1', 'inside'],
  ['172.32.0.1', null],
  ['86.71.20.14', null],
  ['2a01:cb00::1', null],
  [null, null],
])('%s says of a place: %s [SN-08]', (address, place) => {
  expect(placeOf(address)).toBe(place)
})
