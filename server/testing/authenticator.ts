import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { TOTP, Secret } from 'otpauth'

/** The code that an authenticator app shows; `steps` of 30 seconds away. */
export const codeOfApp = (secret: string, now: Date, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() + steps * 30_000 })

type Credential = { id: string; privateKey: KeyObject; userHandle: string; counter: number }
type CreationOptions = { challenge: string; user?: unknown }

/** Deviations in what a browser sends: another origin, a person who wasn't verified, a counter that didn't increase. */
export type Bent = {
  origin?: string
  rpId?: string
  verified?: boolean
  counter?: number
  userHandle?: string
  signature?: Buffer
}

const FLAGS = { present: 1, verified: 4, attested: 0x40 }

/**
 * A passkey provider for tests: creates and uses discoverable ES256 keys like a browser with a platform authenticator.
 */
export function softAuthenticator(
  site: { origin: string; rpId: string } = { origin: 'http://rookery.test', rpId: 'rookery.test' },
) {
  const credentials: Credential[] = []
  const clientData = (type: string, challenge: string, bent: Bent) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: bent.origin ?? site.origin, crossOrigin: false }))
  const header = (flags: number, counter: number, bent: Bent) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([
      createHash('sha256')
        .update(bent.rpId ?? site.rpId)
        .digest(),
      Buffer.from([flags - (bent.verified === false ? FLAGS.verified : 0)]),
      count,
    ])
  }

  return {
    credentials,
    /** navigator.credentials.create() */
    create(options: CreationOptions, bent: Bent = {}): { id: string; [key: string]: unknown } {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const rawId = randomBytes(16)
      const id = rawId.toString('base64url')
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      const cose = isoCBOR.encode(
        new Map<number, number | Uint8Array>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, 'base64url')],
          [-3, Buffer.from(y, 'base64url')],
        ]),
      )
      const user: unknown = options.user
      const userHandle = typeof user === 'object' && user !== null && 'id' in user ? String(user.id) : ''
      credentials.push({ id, privateKey, userHandle, counter: 0 })
      const authData = Buffer.concat([
        header(FLAGS.present + FLAGS.verified + FLAGS.attested, 0, bent),
        Buffer.alloc(16),
        Buffer.from([0, rawId.length]),
        rawId,
        cose,
      ])
      const attestationObject = Buffer.from(
        isoCBOR.encode(
          new Map<string, unknown>([
            ['fmt', 'none'],
            ['attStmt', new Map()],
            ['authData', new Uint8Array(authData)],
          ]) as never,
        ),
      ) // the encoder's types name no nested maps
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientData('webauthn.create', options.challenge, bent).toString('base64url'),
          attestationObject: attestationObject.toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    /** navigator.credentials.get() with the newest passkey */
    get(options: { challenge: string }, bent: Bent = {}): { id: string; [key: string]: unknown } {
      const credential = credentials.at(-1)
      if (!credential) throw new Error('no passkey was made')
      credential.counter = bent.counter ?? credential.counter + 1
      const data = clientData('webauthn.get', options.challenge, bent)
      const authData = header(FLAGS.present + FLAGS.verified, credential.counter, bent)
      const signature =
        bent.signature ??
        sign('sha256', Buffer.concat([authData, createHash('sha256').update(data).digest()]), credential.privateKey)
      return {
        id: credential.id,
        rawId: credential.id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: data.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: signature.toString('base64url'),
          userHandle: bent.userHandle ?? credential.userHandle,
        },
      }
    },
  }
}
