import { randomUUID } from 'node:crypto'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { brandColours } from '#shared/identity/branding/brand-colours.ts'
import { MAX_LOGO_BYTES } from '#shared/identity/branding/branding.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'
import { aBrand, aBrandLogo, aPng } from '#tests/company-brand.ts'
import { aVerifiedDomain } from '#tests/company-domain.ts'

let app: TestApp
let url = ''
let house = ''
let admin: TestUser
beforeAll(async () => {
  app = await startApp()
  url = `${await app.listen()}/api/v1`
})
afterAll(() => app.close())
beforeEach(async () => {
  house = await aCompany(app, 'Orsane SA')
  admin = await aUser(app, { role: 'company_admin', companyId: house })
})

type Method = 'GET' | 'PUT' | 'DELETE'
async function send(who: TestUser | null, method: Method, path: string, body?: object) {
  const isForm = body instanceof FormData
  const answer = await fetch(url + path, {
    method,
    headers: { ...who?.headers, ...(body && !isForm && { 'content-type': 'application/json' }) },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : null }
}
const path = (companyId = house) => `/admin/companies/${companyId}/brand`
const plain = { name: null, accent: null, sender_name: null, sender_address: null, reply_to: null }
const set = (fields: Partial<Record<keyof typeof plain, string | null>>, who = admin) =>
  send(who, 'PUT', path(), { ...plain, ...fields })
function upload(content: Buffer | string, theme = 'light', who = admin) {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(Buffer.from(content))]), 'logo')
  return send(who, 'PUT', `${path()}/logos/${theme}`, form)
}
const mine = async (who: TestUser) => (await send(who, 'GET', '/users/me')).body.brand
const audited = async () =>
  (await send(admin, 'GET', '/admin/audit?limit=5')).body.items as { did: string; changes: object[] }[]
const origin = () => url.replace('/api/v1', '')

describe('the brand of a company', () => {
  it('is seen by its people and by no others, until it is reset [GV-06]', async () => {
    const [member, stranger] = [
      await aUser(app, { role: 'member', companyId: house }),
      await aUser(app, { role: 'member' }),
    ]
    expect(await mine(member)).toBeUndefined()
    const { status, body } = await set({ name: 'Orsane', accent: '#ffee00' })
    expect(status).toBe(200)
    const colours = { light: brandColours('#ffee00', 'light'), dark: brandColours('#ffee00', 'dark') }
    expect(body.brand).toMatchObject({ name: 'Orsane', colours, logo: null })
    expect(await mine(member)).toEqual(body.brand)
    expect((await send(member, 'GET', '/brand')).body.brand).toEqual(body.brand)
    expect(await mine(stranger)).toBeUndefined()
    expect((await send(stranger, 'GET', '/brand')).body.brand).toBeNull()
    const changed = await set({ name: 'Orsane 2' })
    expect(changed.body.brand.version).not.toBe(body.brand.version)
    expect(changed.body.brand.colours).toBeNull()
    expect((await send(admin, 'DELETE', path())).body).toMatchObject({ ...plain, brand: null })
    expect(await mine(member)).toBeUndefined()
  })

  it('never has a version again that browsers stored before a reset [GV-06]', async () => {
    const { version } = (await set({ name: 'Orsane' })).body.brand
    await upload(aPng())
    expect((await send(admin, 'DELETE', path())).body).toMatchObject({ logos: { light: null }, brand: null })
    expect((await set({ name: 'Zenith' })).body.brand.version).not.toBe(version)
  })

  it('is that of a person’s oldest company with one, not of an older one without [GV-06]', async () => {
    const other = await aCompany(app)
    const person = await aUser(app, { role: 'member', companyId: house })
    await app.deps.db
      .insertInto('company_members')
      .values({ user_id: person.id, company_id: other, role: 'member' })
      .execute()
    await aBrand(app, other, { name: 'Zenith' })
    await upload(aPng())
    await send(admin, 'DELETE', `${path()}/logos/light`)
    expect(await mine(person)).toMatchObject({ name: 'Zenith' })
    await set({ name: 'Orsane' })
    expect(await mine(person)).toMatchObject({ name: 'Orsane' })
  })

  it('names the installed product, with its logo as the icon if it is square [GV-06]', async () => {
    const { version } = (await set({ name: 'Orsane', accent: '#1d4ed8' })).body.brand
    const manifest = async (of: string, language = 'en') =>
      app.http.inject({ url: `/api/v1/brand-manifests/${of}/${language}` })
    const answer = await manifest(version, 'fr')
    expect(answer.headers['content-type']).toMatch(/^application\/manifest\+json/)
    expect(answer.json()).toMatchObject({
      ...{ lang: 'fr', name: 'Orsane', short_name: 'Orsane', theme_color: '#1d4ed8', start_url: '/' },
      ...{
        icons: [{ src: '/icon-192.png' }, {}, {}],
        shortcuts: [{ name: 'Nouvelle conversation' }, {}, {}],
      },
    })
    await upload(aPng())
    expect((await manifest(version)).json().icons).toHaveLength(3)
    await upload(aPng({ width: 8, height: 8 }))
    const { logo } = (await send(admin, 'GET', path())).body.brand
    expect((await manifest(version)).json().icons).toMatchObject([{ src: logo.light, sizes: 'any' }])
    expect((await manifest(`${await aCompany(app)}-1`)).json()).toMatchObject({ name: 'Atrium' })
    expect((await manifest('atrium')).statusCode).toBe(404)
  })

  it('is changed by administrators of the company only [GV-06]', async () => {
    const member = await aUser(app, { role: 'member', companyId: house })
    const other = await aUser(app, { role: 'company_admin', companyId: await aCompany(app) })
    for (const who of [member, other]) {
      expect((await set({ name: 'Mine' }, who)).status).toBeGreaterThanOrEqual(403)
      expect((await upload(aPng(), 'light', who)).status).toBeGreaterThanOrEqual(403)
      expect((await send(who, 'GET', path())).status).toBeGreaterThanOrEqual(403)
      expect((await send(who, 'DELETE', path())).status).toBeGreaterThanOrEqual(403)
    }
    expect((await send(admin, 'GET', path())).body.brand).toBeNull()
  })

  it.each([
    { name: 'x'.repeat(41) },
    { name: '  ' },
    { accent: 'red' },
    { accent: '#FFF' },
    { reply_to: 'nobody' },
    { reply_to: 'a@b.test\r\nBcc: c@d.test' },
    { reply_to: 'a@b.test, c@d.test' },
    { reply_to: 'a\u0000b@c.test' },
    { reply_to: 'a\u202eb@c.test' },
    { reply_to: 'a\u0007b@c.test' },
  ])('refuses %j [GV-06]', async (fields) => {
    expect((await set(fields)).status).toBe(422)
  })

  it('has an entry in the audit log for each change [GV-06]', async () => {
    await set({ name: 'Orsane', accent: '#1d4ed8' })
    await set({ name: 'Orsane', accent: '#1d4ed8' })
    await upload(aPng({ width: 8, height: 4 }))
    await send(admin, 'DELETE', path())
    const [reset, logo, changed, ...earlier] = await audited()
    expect(reset).toMatchObject({ did: 'brand.reset' })
    expect(reset?.changes).toContainEqual({ what: 'name', before: 'Orsane', after: null })
    expect(logo).toMatchObject({ did: 'brand.changed', changes: [{ what: 'logo_light', after: '8×4' }] })
    expect(changed?.changes).toEqual([
      { what: 'name', before: null, after: 'Orsane' },
      { what: 'accent', before: null, after: '#1d4ed8' },
    ])
    expect(earlier.filter(({ did }) => did.startsWith('brand'))).toEqual([])
  })

  it('is shown before signing in by its verified mail domain, or as the only company [GV-06]', async () => {
    const domain = await aVerifiedDomain(app, house)
    await set({ name: 'Orsane' })
    const read = async (query = '') => (await send(null, 'GET', `/brand${query}`)).body.brand
    expect(await read(`?domain=${domain.toUpperCase()}`)).toMatchObject({ name: 'Orsane' })
    expect(await read(`?domain=${randomUUID()}.test`)).toBeNull()
    expect(await read()).toBeNull()
    const single = await startApp()
    try {
      const { id } = (await single.deps.db.selectFrom('companies').select('id').executeTakeFirst()) ?? {
        id: await aCompany(single),
      }
      await aBrand(single, id, { name: 'Alone' })
      const answer = await single.http.inject({ url: '/api/v1/brand' })
      expect(answer.json().brand).toMatchObject({ name: 'Alone' })
      await aCompany(single)
      expect((await single.http.inject({ url: '/api/v1/brand' })).json().brand).toBeNull()
    } finally {
      await single.close()
    }
  })
})

describe('a logo', () => {
  const svg = (inside: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10">${inside}<rect width="10" height="10" fill="#00ff00"/></svg>`

  it('is drawn again as PNG and served without anything that runs [GV-06]', async () => {
    const jpeg = createCanvas(20, 10).toBuffer('image/jpeg')
    const webp = createCanvas(20, 10).toBuffer('image/webp')
    for (const file of [aPng({ width: 20, height: 10 }), jpeg, webp]) {
      const { status, body } = await upload(file)
      expect(status).toBe(200)
      const answer = await fetch(origin() + body.logos.light)
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'image/png',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
        'cache-control': 'public, max-age=31536000, immutable',
      })
      const drawn = await loadImage(Buffer.from(await answer.arrayBuffer()))
      expect([drawn.width, drawn.height]).toEqual([20, 10])
    }
  })

  it('in SVG keeps its shape and transparency, but no script, style, text or address [GV-06]', async () => {
    const hostile = `<script>alert(1)</script><image href="http://127.0.0.1:9/a.png"/><foreignObject><p>x</p></foreignObject>`
    const { status, body } = await upload(svg(hostile))
    expect(status).toBe(200)
    const bytes = Buffer.from(await (await fetch(origin() + body.logos.light)).arrayBuffer())
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    expect(bytes.includes('script')).toBe(false)
    const drawn = await loadImage(bytes)
    expect([drawn.width, drawn.height]).toEqual([512, 256])
    const context = createCanvas(512, 256).getContext('2d')
    context.drawImage(drawn, 0, 0)
    expect([...context.getImageData(100, 100, 1, 1).data]).toEqual([0, 255, 0, 255])
    expect(context.getImageData(400, 100, 1, 1).data[3]).toBe(0)
  })

  it.each([
    ['a page', '<!doctype html><script>alert(1)</script>', 422],
    ['nothing', '', 422],
    ['a broken drawing', '<svg xmlns="http://www.w3.org/2000/svg"><g>', 422],
    ['a cut picture', aPng().subarray(0, 40), 422],
    ['a GIF', Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAA=', 'base64'), 422],
    ['a file over 256 kB', Buffer.concat([aPng(), Buffer.alloc(MAX_LOGO_BYTES)]), 413],
  ])('is refused as %s [GV-06]', async (_, content, status) => {
    expect((await upload(content)).status).toBe(status)
    expect((await send(admin, 'GET', path())).body.logos.light).toBeNull()
  })

  it('has another address when it is replaced, and none when it is removed [GV-06]', async () => {
    const first = (await upload(aPng())).body
    expect(first.brand.logo).toEqual({ light: first.logos.light, dark: first.logos.light, ratio: 2 })
    const second = (await upload(aPng(), 'dark')).body
    expect(second.brand.logo.dark).toBe(second.logos.dark)
    const third = (await upload(aPng({ colour: '#000000' }))).body
    expect(third.logos.light).not.toBe(first.logos.light)
    expect((await fetch(origin() + first.logos.light)).status).toBe(404)
    const removed = (await send(admin, 'DELETE', `${path()}/logos/light`)).body
    expect(removed.logos).toEqual({ light: null, dark: second.logos.dark })
    expect(removed.brand.logo.light).toBe(second.logos.dark)
    expect((await send(admin, 'DELETE', `${path()}/logos/light`)).status).toBe(200)
  })

  it('goes with its company [GV-06]', async () => {
    const id = await aBrandLogo(app, house)
    await app.deps.db.deleteFrom('companies').where('id', '=', house).execute()
    expect((await fetch(`${url}/brand-logos/${id}`)).status).toBe(404)
  })
})
