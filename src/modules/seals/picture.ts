// The badge of a seal as SVG: without script, style or reference, drawn for a light, dark or transparent background.

import type { SealBackground, SealGrade } from '../api.generated.ts'
import type { Posture } from './posture.ts'
import { escapeMarkup, fitText, plainLine } from './text.ts'

export const WIDTH = 264
export const HEIGHT = 80

const TEXT_LEFT = 76
const TEXT_WIDTH = WIDTH - TEXT_LEFT - 12
const FONTS = "Inter, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'Liberation Sans', sans-serif"

type Palette = { canvas: string | null; line: string; text: string; muted: string }

/** On an unknown background each text needs a contrast of 4.5 : 1 to both white and black, which leaves one luminance. */
const palettes = {
  LIGHT: { canvas: '#ffffff', line: '#d5dee1', text: '#10262c', muted: '#53666d' },
  DARK: { canvas: '#0f1a1f', line: '#2a3a41', text: '#eef5f6', muted: '#9db0b7' },
  TRANSPARENT: { canvas: null, line: '#64797f', text: '#64797f', muted: '#64797f' },
} as const satisfies Record<SealBackground, Palette>

const emblems = {
  A: '#0a7a73',
  B: '#3c7a2e',
  C: '#99690a',
  D: '#b5530f',
  E: '#b4262a',
} as const satisfies Record<SealGrade, string>

const NOT_IN_FORCE = '#6d777c'

/** A shield under three merlons, 44 by 52. */
const SHIELD = 'M0 0H10V6H17V0H27V6H34V0H44V27C44 40 33 47.5 22 52C11 47.5 0 40 0 27Z'

type Badge = {
  background: SealBackground
  assetName: string
  domain: string | null
  issuedAt: string
  expiresAt: string | null
  posture: Posture
}

/** The badge in two parts: what comes before its metadata element, and what comes after. */
export function drawBadge(badge: Badge): { before: string; after: string } {
  const { posture, domain } = badge
  const { canvas, line, text, muted } = palettes[badge.background]
  const fill = posture.grade === null ? NOT_IN_FORCE : emblems[posture.grade]
  const name = plainLine(badge.assetName) || 'Unnamed'
  const frame = canvas
    ? `<rect x=".5" y=".5" width="${WIDTH - 1}" height="${HEIGHT - 1}" rx="9.5" fill="${canvas}" stroke="${line}"/>`
    : ''
  const before = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img">
<title>${escapeMarkup(`${name}: ${posture.sentence}`)}</title>
`
  const after = `
${frame}
<path transform="translate(16 14)" d="${SHIELD}" fill="${fill}"/>
<text x="38" y="${posture.grade === null ? 47 : 50}" text-anchor="middle" font-family="${FONTS}" font-size="27" font-weight="700" fill="#ffffff">${posture.grade ?? '–'}</text>
<svg x="${TEXT_LEFT}" width="${TEXT_WIDTH}" height="${HEIGHT}" font-family="${FONTS}">
${lineOf(domain ?? 'Security seal', 21, 10, muted)}
${lineOf(name, 38, 14, text, 600)}
${lineOf(posture.short, 54, 11.5, posture.grade === null ? muted : text)}
${lineOf(dates(badge), 69, 10, muted)}
</svg>
</svg>
`
  return { before, after }
}

function lineOf(text: string, y: number, size: number, fill: string, weight = 400): string {
  const shown = escapeMarkup(fitText(text, size, TEXT_WIDTH))
  return `<text y="${y}" font-size="${size}" font-weight="${weight}" fill="${fill}">${shown}</text>`
}

const day = (moment: string): string => moment.slice(0, 10)

const dates = ({ issuedAt, expiresAt }: Badge): string =>
  expiresAt === null ? `Issued ${day(issuedAt)}` : `Issued ${day(issuedAt)}, to ${day(expiresAt)}`
