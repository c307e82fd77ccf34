// The signed statement of a seal: one canonical text, its Ed25519 signature (RFC 8032), and the verification of both.

import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { sha256 } from '../../core/crypto.ts'
import type { SealGrade, SealState } from '../api.generated.ts'

export type Statement = {
  version: 1
  seal: string
  asset: string
  domain: string | null
  state: SealState
  grade: SealGrade | null
  posture: string
  issuedAt: string
  expiresAt: string | null
  /** the moment for which the statement holds */
  at: string
  /** SHA-256 of the badge without its metadata element, hexadecimal */
  picture: string
}

export type SigningKey = { privateKey: KeyObject; publicKey: KeyObject }

/** The bytes of a PKCS #8 Ed25519 key before its seed (RFC 8410, 7). */
const BEFORE_SEED = Buffer.from('302e020100300506032b657004220420', 'hex')

const LONGEST_STATEMENT = 8000

/** The key pair of a seed of 32 bytes. */
export function signingKey(seed: Buffer): SigningKey {
  const privateKey = createPrivateKey({ key: Buffer.concat([BEFORE_SEED, seed]), format: 'der', type: 'pkcs8' })
  return { privateKey, publicKey: createPublicKey(privateKey) }
}

/** The public key as PEM. */
export const publicPem = ({ publicKey }: SigningKey): string =>
  String(publicKey.export({ format: 'pem', type: 'spki' }))

/** JSON in ASCII without `<`, `>` and `&`: the same bytes wherever it is embedded. */
export function writeStatement(statement: Statement): string {
  const { version, seal, asset, domain, state, grade, posture, issuedAt, expiresAt, at, picture } = statement
  const ordered = { version, seal, asset, domain, state, grade, posture, issuedAt, expiresAt, at, picture }
  return JSON.stringify(ordered).replace(
    /[<>&\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** 128 lower-case hexadecimal digits. */
export const signStatement = ({ privateKey }: SigningKey, statement: string): string =>
  sign(null, Buffer.from(statement), privateKey).toString('hex')

/** Whether the signature was made by this key over exactly this text. */
export const holds = ({ publicKey }: SigningKey, statement: string, signature: string): boolean =>
  /^[0-9a-f]{128}$/.test(signature) &&
  statement.length <= LONGEST_STATEMENT &&
  verify(null, Buffer.from(statement), publicKey, Buffer.from(signature, 'hex'))

export const hashPicture = (svg: string): string => sha256(svg).toString('hex')
