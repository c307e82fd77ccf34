// One finding in words: where it is and has been, why its reports are one finding, what was done about it, and what it may become.

import { type Detail, placeOf } from './issue-place.ts'
import { printable, say } from './output.ts'

/** The fields that a query of a finding selects for `sayStory`, beside the details of its type. */
export const STORY = `id title severity status type statusReason description permittedStatus asset { id name }
  identity { matchedBy evidence mergedFrom { id title because reason }
    places { id at branch path line commit disposition witnessId deploy { id } } }
  witnesses { id toolName ruleId severity isOpen }
  history { at kind action authorEmail previousStatus status reason deployId }`

type Place = {
  id: string
  at: string
  branch: string | null
  path: string | null
  line: number | null
  commit: string | null
  disposition: string | null
  deploy: { id: string } | null
}

type Happened = {
  at: string
  kind: string
  action: string
  authorEmail: string | null
  status: string | null
  reason: string | null
}

type Story = {
  id: string
  title: string
  severity: string
  status: string
  statusReason: string | null
  description: string
  detail: Detail
  permittedStatus: string[]
  asset: { name: string }
  identity: { evidence: string; places: Place[]; mergedFrom: { id: string; title: string; reason: string | null }[] }
  witnesses: { id: string; toolName: string | null; ruleId: string; severity: string; isOpen: boolean }[]
  history: Happened[]
}

export function sayStory(story: Story): void {
  const { id, severity, status, statusReason, title, description, asset, identity, witnesses, history } = story
  const where = placeOf(story.detail)
  const reason = statusReason ? ` (${printable(statusReason)})` : ''
  say(`${id}  ${severity}  ${status}${reason}  ${printable(title)}`)
  if (where !== '') say(printable(where))
  say(`Asset ${printable(asset.name)}`)
  say(description)
  say(identity.evidence)
  sayList('Places', identity.places.map(lineOfPlace))
  sayList('Witnesses', witnesses.length > 1 ? witnesses.map(lineOfWitness) : [])
  sayList(
    'Merged into it',
    identity.mergedFrom.map((one) => [one.id, one.title, one.reason]),
  )
  sayList('History', history.map(lineOfEvent))
  say(`It may become ${story.permittedStatus.join(', ')}`)
}

/** Prints nothing for an empty list; null and empty parts of a line are left out. */
function sayList(title: string, lines: readonly (readonly (string | null)[])[]): void {
  if (lines.length === 0) return
  say(`${title}:`)
  for (const line of lines)
    say(
      `  ${line
        .filter((word) => word !== null && word !== '')
        .map(printable)
        .join('  ')}`,
    )
}

/** By its id, which splitting takes. */
const lineOfPlace = ({ id, at, branch, path, line, commit, disposition, deploy }: Place) => [
  id,
  at,
  branch,
  path && line ? `${path}:${line}` : path,
  commit && `commit ${commit.slice(0, 12)}`,
  deploy && `deploy ${deploy.id}`,
  disposition,
]

const lineOfWitness = ({ id, toolName, ruleId, severity, isOpen }: Story['witnesses'][number]) => [
  id,
  severity,
  toolName,
  ruleId,
  isOpen ? null : 'no longer seen',
]

const lineOfEvent = ({ at, kind, action, authorEmail, status, reason }: Happened) => [
  at,
  kind,
  status === null || status === action ? action : `${action} ${status}`,
  authorEmail,
  reason,
]
