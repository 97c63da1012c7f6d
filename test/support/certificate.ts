import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** A certificate that signs itself, and its key, as PEM. */
export interface Certificate {
  cert: string
  key: string
}

/** A value of DER: its tag, and its content. */
function der(tag: number, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content)
  const size = body.length < 0x80 ? [body.length] : [0x82, body.length >> 8, body.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}

const sequence = (...content: Uint8Array[]) => der(0x30, ...content)
const oid = (...bytes: number[]) => der(0x06, Buffer.from(bytes))
const ECDSA_SHA256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))
const COMMON_NAME = oid(0x55, 0x04, 0x03)
const ALTERNATIVE_NAMES = oid(0x55, 0x1d, 0x11)

/** UTCTime: YYMMDDhhmmssZ. */
function time(at: number): Buffer {
  const text = new Date(at).toISOString().replace(/[-:T]|\.\d+/g, '')
  return der(0x17, Buffer.from(text.slice(2)))
}

const DAY = 86_400_000

/**
 * Makes a certificate for names of hosts, by RFC 5280.
 *
 * @param days - from now on that it is valid; less than 0: it was until then
 */
export function certificateFor(names: readonly string[], days = 1): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const name = sequence(
    der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(names[0] as string)))),
  )
  const end = Date.now() + days * DAY
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_SHA256,
    name,
    sequence(time(end - 30 * DAY), time(end)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        sequence(
          ALTERNATIVE_NAMES,
          der(0x04, sequence(...names.map((one) => der(0x82, Buffer.from(one))))),
        ),
      ),
    ),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, privateKey))
  const base64 = sequence(content, ECDSA_SHA256, signature).toString('base64')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  }
}
