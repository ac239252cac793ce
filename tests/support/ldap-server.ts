import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { freePort } from './free-port.ts'

const SUFFIX = 'dc=example,dc=com'

/** Starts a local OpenLDAP with people, groups, and a self-signed certificate for `localhost`. */
export async function startLdapServer() {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-ldap-'))
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const own = await certificate()
  const ca = file('own.pem', own.cert)
  const otherCa = file('other.pem', (await certificate()).cert)
  mkdirSync(join(folder, 'data'))
  const settings = file('slapd.conf', configure(folder, ca, file('own.key', own.private)))
  const loaded = spawnSync('/usr/sbin/slapadd', ['-f', settings, '-l', file('people.ldif', people)])
  if (loaded.status !== 0) throw new Error(`slapadd: ${loaded.error ?? loaded.stderr}`)
  const [plain, secure] = [await freePort(), await freePort()]
  const addresses = `ldap://127.0.0.1:${plain}/ ldaps://127.0.0.1:${secure}/`
  const server = spawn('/usr/sbin/slapd', ['-f', settings, '-h', addresses, '-d', '0'], { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  await untilItListens(secure)
  return {
    ...{ ca, otherCa, plain: `ldap://localhost:${plain}`, secure: `ldaps://localhost:${secure}` },
    /** The same server under a name that is not in its certificate. */
    misnamed: `ldaps://127.0.0.1:${secure}`,
    settings: {
      ...{ LDAP_SEARCH_BASE: `ou=people,${SUFFIX}`, LDAP_GROUP_BASE: `ou=groups,${SUFFIX}` },
      ...{ LDAP_BIND_DN: `cn=admin,${SUFFIX}`, LDAP_BIND_PASSWORD: 'reader' },
    },
    close: async () => {
      server.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function certificate() {
  const altNames = [{ type: 2 as const, value: 'localhost' }]
  return generate([{ name: 'commonName', value: 'localhost' }], {
    ...{ keySize: 2048, algorithm: 'sha256' },
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames },
    ],
  })
}

async function untilItListens(port: number): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    const isThere = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1')
      socket.once('connect', () => resolve(socket.destroy() !== undefined))
      socket.once('error', () => resolve(false))
    })
    if (isThere) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('slapd does not listen.')
}

const configure = (folder: string, certificateFile: string, keyFile: string) => `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
pidfile ${folder}/slapd.pid
TLSCertificateFile ${certificateFile}
TLSCertificateKeyFile ${keyFile}
database mdb
maxsize 16777216
suffix "${SUFFIX}"
rootdn "cn=admin,${SUFFIX}"
rootpw reader
directory ${folder}/data
`

const person = (uid: string, name: string) => `dn: uid=${uid},ou=people,${SUFFIX}
objectClass: inetOrgPerson
uid: ${uid}
cn: ${name}
sn: ${name}
displayName: ${name}
mail: ${uid}@example.com
userPassword: ${uid}-secret
`

const group = (cn: string, ...uids: string[]) => `dn: cn=${cn},ou=groups,${SUFFIX}
objectClass: groupOfNames
cn: ${cn}
${uids.map((uid) => `member: uid=${uid},ou=people,${SUFFIX}`).join('\n')}
`

const people = [
  `dn: ${SUFFIX}\nobjectClass: dcObject\nobjectClass: organization\ndc: example\no: Example\n`,
  ...['people', 'groups'].map((ou) => `dn: ou=${ou},${SUFFIX}\nobjectClass: organizationalUnit\nou: ${ou}\n`),
  person('lea', 'Léa Moreau'),
  person('max', 'Max Weber'),
  group('buyers', 'lea', 'max'),
  group('leads', 'lea'),
].join('\n')
