// The verification page of a seal: plain HTML without script, readable in light and dark.

import { HEIGHT, WIDTH } from './picture.ts'
import type { Statement } from './statement.ts'
import { escapeMarkup, plainLine } from './text.ts'

/** The result of checking somebody's copy of the statement. */
export type Copy = { signatureHolds: boolean; isOfThisSeal: boolean }

type Verified = {
  facts: Statement
  statement: string
  signature: string
  publicKey: string
  signatureHolds: boolean
  copy: Copy | null
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 Inter, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif }
body { margin: 0; padding: 48px 24px; color: #10262c; background: #f5f8f8 }
main { max-width: 640px; margin: 0 auto }
h1 { font-size: 28px; line-height: 1.2; margin: 24px 0 4px; overflow-wrap: anywhere }
h2 { font-size: 16px; margin: 32px 0 8px }
.posture { font-size: 20px; margin: 0 0 24px }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 24px; margin: 0; padding: 16px 0; border-block: 1px solid #d5dee1 }
dt { color: #53666d } dd { margin: 0; overflow-wrap: anywhere }
pre { font: 12px/1.5 'JetBrains Mono', ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; padding: 12px; background: #e9eff0; border-radius: 6px }
@media (prefers-color-scheme: dark) {
  body { color: #eef5f6; background: #0f1a1f } dl { border-color: #2a3a41 } dt { color: #9db0b7 } pre { background: #18262c }
}`

const verdicts = {
  ACTIVE: 'This seal is valid.',
  EXPIRED: 'This seal has expired and makes no statement about the asset.',
  DISABLED: 'This seal was disabled and makes no statement about the asset.',
} as const satisfies Record<Statement['state'], string>

export function renderPage({ facts, statement, signature, publicKey, signatureHolds, copy }: Verified): string {
  const name = escapeMarkup(plainLine(facts.asset) || 'Unnamed')
  const rows = [
    ['Grade', facts.grade ?? 'None'],
    ['Domain', facts.domain ?? 'None named'],
    ['Issued', minute(facts.issuedAt)],
    ['Expires', facts.expiresAt === null ? 'Never' : minute(facts.expiresAt)],
    ['As of', minute(facts.at)],
    ['Signature', signatureHolds ? 'Valid' : 'Invalid'],
  ]
  const list = rows.map(([term, said]) => `<dt>${term}</dt><dd>${escapeMarkup(said ?? '')}</dd>`).join('\n')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>Seal of ${name}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<img src="/seals/${facts.seal}.svg" width="${WIDTH}" height="${HEIGHT}" alt="The seal's badge">
<h1 dir="auto">${name}</h1>
<p class="posture">${verdicts[facts.state]}${facts.grade === null ? '' : ` ${escapeMarkup(facts.posture)}.`}</p>
${copy === null ? '' : `<h2>Your copy</h2>\n<p>${aboutCopy(copy)}</p>\n`}<dl>
${list}
</dl>
<h2>Check it yourself</h2>
<p>A badge carries a statement and its Ed25519 signature in its metadata. The signature is over the statement’s bytes, by the key below;
<code>picture</code> in the statement is the SHA-256 of the badge without its metadata element.</p>
<pre>${escapeMarkup(statement)}</pre>
<pre>${signature}</pre>
<pre>${escapeMarkup(publicKey.trim())}</pre>
</main>
</body>
</html>
`
}

/** `2026-03-01T10:00:00Z` as `2026-03-01 10:00 UTC`. */
const minute = (moment: string): string => `${moment.slice(0, 10)} ${moment.slice(11, 16)} UTC`

function aboutCopy({ signatureHolds, isOfThisSeal }: Copy): string {
  if (!signatureHolds) return 'Its signature is invalid: it was changed, or was not issued here.'
  if (!isOfThisSeal) return 'Its signature is valid, but it belongs to another seal.'
  return 'Its signature is valid: it was issued here. The current state is below.'
}
