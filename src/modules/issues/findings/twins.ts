// Which findings of different tools are one weakness: the same place with the same CWE, or one vulnerability of one component.

import type { IssueType } from '../../../core/db/tables.generated.ts'
import type { Id } from '../../../core/ids.ts'

export const codeTypes: readonly IssueType[] = ['SAST_FINDING', 'IAC_FINDING', 'SECRET_FINDING', 'MAST_FINDING']
export const componentTypes: readonly IssueType[] = ['SCA_FINDING', 'CONTAINER_FINDING']

export const isCode = (type: IssueType): boolean => codeTypes.includes(type)
export const isComponent = (type: IssueType): boolean => componentTypes.includes(type)

/** A finding at a place, or in a component, that another tool speaks of too; with the issue that it stands for. */
export type Twin = {
  id: Id
  issueId: Id
  /** in small letters */
  tool: string
  by: 'SAME_PLACE' | 'SAME_VULNERABILITY'
  /** the place, or the component, on its branch */
  where: string
  path: string | null
  /** CWE numbers, or ids of vulnerabilities */
  keys: readonly string[]
  /** whether it is new, or elsewhere than before */
  isFresh: boolean
  /** whether it was new with this very report, so that nobody can have decided of it */
  isNew: boolean
  isOpen: boolean
  /** all findings of the issue, and their tools */
  family: readonly Id[]
  tools: readonly string[]
  /** findings from which people said that one of the family is distinct */
  distinctFrom: readonly Id[]
}

export type Joining = { issueId: Id; findingId: Id; by: Twin['by'] }

type Family = { head: Id; ids: Set<Id>; tools: Set<string>; distinctFrom: Set<Id>; isOpen: boolean; isNew: boolean }

/**
 * The issues that become witnesses, each of the oldest issue that it is one with. Two findings are one where each is the only
 * one of its tool that the other could be; of a component in several files, those of one file before all. An issue has one
 * finding of a tool. What people said to be two stays two, and so do issues of which they decided differently.
 */
export function pairTwins(twins: readonly Twin[]): Joining[] {
  const families = familiesOf(twins)
  const joinings: Joining[] = []
  for (const group of Map.groupBy(twins, ({ by, where }) => `${by} ${where}`).values()) {
    for (const fits of [isInSameFile, always]) {
      for (const [one, other] of onlyPairs(group, families, fits)) {
        const [left, right] = [families.get(one.issueId), families.get(other.issueId)]
        if (!left || !right || left === right || !mayJoin(left, right)) continue
        const [head, joined] = BigInt(left.head) < BigInt(right.head) ? [left, right] : [right, left]
        joinings.push({ issueId: head.head, findingId: joined.head, by: one.by })
        absorb(head, joined, families)
      }
    }
  }
  const heads = new Map(joinings.map(({ findingId, issueId }) => [findingId, issueId]))
  const headOf = (id: Id): Id => {
    const head = heads.get(id)
    return head === undefined ? id : headOf(head)
  }
  return joinings.map((joining) => ({ ...joining, issueId: headOf(joining.issueId) }))
}

function familiesOf(twins: readonly Twin[]): Map<Id, Family> {
  const families = new Map<Id, Family>()
  for (const { issueId, family, tools, distinctFrom, isOpen, isNew } of twins) {
    if (families.has(issueId)) continue
    const ids = { ids: new Set(family), tools: new Set(tools), distinctFrom: new Set(distinctFrom) }
    families.set(issueId, { head: issueId, ...ids, isOpen, isNew })
  }
  return families
}

const always = () => true

const isInSameFile = (one: Twin, other: Twin): boolean => one.path !== null && one.path === other.path

/** Pairs of which neither side could be another one of the same tool; each with something fresh. */
function onlyPairs(
  group: readonly Twin[],
  families: ReadonlyMap<Id, Family>,
  fits: (one: Twin, other: Twin) => boolean,
): [Twin, Twin][] {
  const isApart = (one: Twin, other: Twin) => families.get(one.issueId) !== families.get(other.issueId)
  const couldBe = (one: Twin, other: Twin) =>
    one.tool !== other.tool && fits(one, other) && one.keys.some((key) => other.keys.includes(key))
  const only = (one: Twin, tool: string) =>
    group.filter((other) => other.tool === tool && couldBe(one, other) && isFree(one, other, families)).length === 1
  return group.flatMap((one, at) =>
    group
      .slice(at + 1)
      .filter((other) => (one.isFresh || other.isFresh) && isApart(one, other) && couldBe(one, other))
      .filter((other) => only(one, other.tool) && only(other, one.tool))
      .map((other): [Twin, Twin] => [one, other]),
  )
}

/** What is one with another finding of the tool already is no choice any more. */
function isFree(one: Twin, other: Twin, families: ReadonlyMap<Id, Family>): boolean {
  const [own, family] = [families.get(one.issueId), families.get(other.issueId)]
  return own === family || !(family?.tools.has(one.tool) ?? false)
}

function mayJoin(left: Family, right: Family): boolean {
  if ([...left.tools].some((tool) => right.tools.has(tool))) return false
  if ([...left.ids].some((id) => right.distinctFrom.has(id))) return false
  if ([...right.ids].some((id) => left.distinctFrom.has(id))) return false
  return left.isNew || right.isNew || left.isOpen === right.isOpen
}

function absorb(head: Family, joined: Family, families: Map<Id, Family>): void {
  for (const id of joined.ids) head.ids.add(id)
  for (const tool of joined.tools) head.tools.add(tool)
  for (const id of joined.distinctFrom) head.distinctFrom.add(id)
  for (const [id, family] of families) if (family === joined) families.set(id, head)
}
