import { describe, expect, it } from 'vitest'
import { isGenuine } from './is-genuine.ts'

const by = (...results: string[]) => isGenuine(results, 'mx.example.net', 'ada@example.com')

describe('a sender', () => {
  it.each([
    ['mx.example.net; dmarc=pass header.from=example.com'],
    ['mx.example.net 1; spf=pass smtp.mailfrom=ada@example.com; dmarc=none'],
    ['mx.example.net; dkim=pass (2048 bit; key) header.d=mail.example.com header.s=k'],
    ['mx.example.net; dkim=fail header.d=other.org; dkim=pass header.i=@example.com'],
    ['MX.example.net; DMARC=PASS (p=reject; sp=none) header.from=Example.com'],
  ])('is genuine by %s', (result) => {
    expect(by(result)).toBe(true)
  })

  it.each([
    ['mx.example.net; dmarc=fail header.from=example.com; spf=pass smtp.mailfrom=example.com'],
    ['mx.example.net; spf=fail smtp.mailfrom=example.com'],
    ['mx.example.net; spf=pass smtp.mailfrom=evil.org; dkim=pass header.d=evil.org'],
    ['mx.example.net; dmarc=pass header.from=evil.org'],
    ['mx.example.net; dkim=pass header.d=notexample.com'],
    ['mx.example.net; none'],
    ['other.example.net; dmarc=pass header.from=example.com'],
    ['mx.example.net.evil.org; dmarc=pass header.from=example.com'],
    // A sender writes what looks like a result into a quoted local part, or into a comment.
    ['mx.example.net; spf=pass smtp.mailfrom="; dmarc=pass header.from=example.com"@evil.org'],
    ['mx.example.net; spf=none (by evil; dmarc=pass header.from=example.com)'],
    ['mx.example.net; spf=none (; dmarc=pass header.from=example.com'],
    ['mx.example.net; spf=none reason="a smtp.mailfrom=example.com" smtp.mailfrom=evil.org'],
  ])('is not genuine by %s', (result) => {
    expect(by(result)).toBe(false)
  })

  it('is judged by the newest result of the trusted server only', () => {
    const [failed, passed] = ['mx.example.net; dmarc=fail', 'mx.example.net; dmarc=pass']
    expect(by(failed, passed)).toBe(false)
    expect(by('mx.example.net; spf=none (', passed)).toBe(false)
    expect(by('other.net; dmarc=fail', passed)).toBe(true)
    expect(by()).toBe(false)
  })
})
