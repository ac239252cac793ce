import { Worker } from 'node:worker_threads'
import { codeUrl } from '../../../../platform/process/checkout.ts'
import { ownModulesOnly } from '../../../../platform/process/own-modules.ts'

/** A private key as PEM text, and its certificate as base64 of the DER form. */
export type KeyPair = { key: string; certificate: string }

/**
 * Creates an RSA key with a self-signed certificate (X.509 v3) that is valid for ten years, in a separate thread: loading the
 * certificate library would block the event loop for about 0.1 s. @throws Error when the thread fails
 */
export function createSelfSigned(name: string, now: Date): Promise<KeyPair> {
  const worker = new Worker(codeUrl('src/server/identity/accounts/sign-on/saml/self-signed-thread.ts'), {
    workerData: { name, now },
    execArgv: ownModulesOnly,
  })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The thread ended before it created the key.')))
  })
}
