import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** X.509 certificates of an authority of the tests, by RFC 5280: Node can read them, and not create any. */

export type Issued = { readonly key: string; readonly cert: string }

const tlv = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const value = Buffer.concat(parts)
  const { length } = value
  const long = length > 255 ? [0x82, length >> 8, length & 255] : [0x81, length]
  return Buffer.concat([Buffer.from([tag, ...(length < 128 ? [length] : long)]), value])
}
const sequence = (...parts: readonly Uint8Array[]): Buffer => tlv(0x30, ...parts)
const oid = (hex: string): Buffer => tlv(0x06, Buffer.from(hex, 'hex'))
const text = (tag: number, value: string): Buffer => tlv(tag, Buffer.from(value))

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
const commonName = oid('550403')
const basicConstraints = oid('551d13')
const subjectAltName = oid('551d11')
const yes = tlv(0x01, Buffer.from([0xff]))

const nameOf = (name: string): Buffer => sequence(tlv(0x31, sequence(commonName, text(0x0c, name))))
const timeOf = (atMs: number): Buffer =>
  text(
    0x17,
    `${new Date(atMs)
      .toISOString()
      .replaceAll(/[-:T]|\.\d+/g, '')
      .slice(2)}`,
  )

type Subject = { readonly name: string; readonly key: KeyObject; readonly extensions: readonly Buffer[] }
type Issuer = { readonly name: string; readonly key: KeyObject }

function certificateOf(subject: Subject, issuer: Issuer): string {
  const dayMs = 86_400_000
  const signed = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.from([1 + Math.floor(Math.random() * 100)])),
    ecdsaWithSha256,
    nameOf(issuer.name),
    sequence(timeOf(Date.now() - dayMs), timeOf(Date.now() + dayMs)),
    nameOf(subject.name),
    subject.key.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, sequence(...subject.extensions)),
  )
  const signature = tlv(0x03, Buffer.from([0]), sign('sha256', signed, issuer.key))
  const base64 = sequence(signed, ecdsaWithSha256, signature).toString('base64')
  return `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`
}

/** An authority, its certificate, and a function that issues certificates for 127.0.0.1. */
export function makeAuthority(name: string): { readonly cert: string; readonly issue: () => Issued } {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const issuer = { name, key: own.privateKey }
  const isAuthority = sequence(basicConstraints, yes, tlv(0x04, sequence(yes)))
  const issue = (): Issued => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const loopback = tlv(0x87, Buffer.from([127, 0, 0, 1]))
    const extensions = [sequence(subjectAltName, tlv(0x04, sequence(loopback)))]
    const cert = certificateOf({ name: 'a receiver', key: publicKey, extensions }, issuer)
    return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
  }
  return { cert: certificateOf({ name, key: own.publicKey, extensions: [isAuthority] }, issuer), issue }
}
