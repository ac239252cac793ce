import { describe, expect, it } from 'vitest'
import { contains, formatNetwork, parseAddress, parseNetwork, plainAddress } from './ip.ts'

const isIn = (network: string, address: string) => contains(parseNetwork(network)!, parseAddress(address)!)

describe('an address', () => {
  it.each([
    ['192.0.2.7', [192, 0, 2, 7]],
    ['192.0.2.7:4711', [192, 0, 2, 7]],
    ['::ffff:192.0.2.7', [192, 0, 2, 7]],
    ['::FFFF:c000:207', [192, 0, 2, 7]],
    ['[::ffff:192.0.2.7]:4711', [192, 0, 2, 7]],
    ['::1', [...Array<number>(15).fill(0), 1]],
    ['fe80::1%eth0', [0xfe, 0x80, ...Array<number>(13).fill(0), 1]],
    ['2001:db8:1:2:3:4:5:6', [0x20, 1, 0x0d, 0xb8, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6]],
  ])('%s is read without port, zone and mapping', (text, bytes) => {
    expect(parseAddress(text)).toEqual(bytes)
  })

  it.each([
    '',
    'localhost',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.256',
    '01.2.3.4',
    '1::2::3',
    '1:2:3',
    '12345::',
    ':::',
  ])('is not %j', (text) => {
    expect(parseAddress(text)).toBeNull()
  })
})

describe('plainAddress', () => {
  it.each([
    ['192.0.2.7:4711', '192.0.2.7'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['[::ffff:a00:1]:80', '10.0.0.1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[2001:DB8::9%1]:443', '2001:db8::9'],
    ['unknown', 'unknown'],
  ])('returns %s as %s', (text, plain) => {
    expect(plainAddress(text)).toBe(plain)
  })
})

describe('a network', () => {
  it.each([
    ['10.1.2.3/8', '10.0.0.0/8'],
    [' 192.0.2.7 ', '192.0.2.7/32'],
    ['::ffff:10.1.2.3/104', '10.0.0.0/8'],
    ['2001:db8:ffff::1/33', '2001:db8:8000:0:0:0:0:0/33'],
    ['0.0.0.0/0', '0.0.0.0/0'],
  ])('%s is %s', (text, network) => {
    expect(formatNetwork(parseNetwork(text)!)).toBe(network)
  })

  it.each(['10.0.0.0/33', '2001:db8::/129', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/-1', '10.0.0/8', 'all'])(
    'is not %j',
    (text) => {
      expect(parseNetwork(text)).toBeNull()
    },
  )

  it('contains the addresses with its prefix and no others', () => {
    expect(isIn('192.0.2.128/25', '192.0.2.200')).toBe(true)
    expect(isIn('192.0.2.128/25', '192.0.2.127')).toBe(false)
    expect(isIn('192.0.2.128/25', '::ffff:192.0.2.200')).toBe(true)
    expect(isIn('2001:db8::/33', '2001:db8:7fff::9')).toBe(true)
    expect(isIn('2001:db8::/33', '2001:db8:8000::9')).toBe(false)
    expect(isIn('0.0.0.0/0', '203.0.113.1')).toBe(true)
    expect(isIn('::/0', '203.0.113.1')).toBe(false)
    expect(isIn('0.0.0.0/0', '2001:db8::1')).toBe(false)
  })
})
