// Assembles what a seal shows at a moment: its posture, its signed statement, and the badge that carries it.

import type { SeverityCategory } from '../../core/db/tables.generated.ts'
import type { SealBackground } from '../api.generated.ts'
import { drawBadge } from './picture.ts'
import { type Posture, postureOf } from './posture.ts'
import { hashPicture, type SigningKey, type Statement, signStatement, writeStatement } from './statement.ts'

/** A seal with the facts about its asset at the moment `at`. */
export type Standing = {
  id: string
  publicId: string
  background: SealBackground
  domain: string | null
  enabled: boolean
  issuedAt: string
  expiresAt: string | null
  isExpired: boolean
  assetName: string
  worst: SeverityCategory | null
  at: string
}

export type Shown = { posture: Posture; facts: Statement; statement: string; signature: string; svg: string }

export function show(key: SigningKey, standing: Standing): Shown {
  const posture = postureOf(standing)
  const { before, after } = drawBadge({ ...standing, posture })
  const facts: Statement = {
    version: 1,
    seal: standing.publicId,
    asset: standing.assetName,
    domain: standing.domain,
    state: posture.state,
    grade: posture.grade,
    posture: posture.sentence,
    issuedAt: standing.issuedAt,
    expiresAt: standing.expiresAt,
    at: standing.at,
    picture: hashPicture(before + after),
  }
  const statement = writeStatement(facts)
  const signature = signStatement(key, statement)
  const metadata = `<metadata><seal xmlns="urn:merlon:seal:1"><statement>${statement}</statement><signature algorithm="Ed25519">${signature}</signature></seal></metadata>`
  return { posture, facts, statement, signature, svg: before + metadata + after }
}
