// Decides which findings of different tools are the same weakness: the same place with the same CWE, or the same vulnerability of one component.

import type { IssueType } from '../../../core/db/tables.generated.ts'
import type { Id } from '../../../core/ids.ts'

export const codeTypes: readonly IssueType[] = ['SAST_FINDING', 'IAC_FINDING', 'SECRET_FINDING', 'MAST_FINDING']
export const componentTypes: readonly IssueType[] = ['SCA_FINDING', 'CONTAINER_FINDING']

export const isCode = (type: IssueType): boolean => codeTypes.includes(type)
export const isComponent = (type: IssueType): boolean => componentTypes.includes(type)

/** A finding at a place or in a component that another tool reports too, with its issue. */
export type Twin = {
  id: Id
  issueId: Id
  /** in lower case */
  tool: string
  by: 'SAME_PLACE' | 'SAME_VULNERABILITY'
  /** the place, or the component, on its branch */
  where: string
  path: string | null
  /** CWE numbers, or ids of vulnerabilities */
  keys: readonly string[]
  /** whether it is new, or has moved */
  isFresh: boolean
  /** whether it is new with this report, so that nobody can have decided about it */
  isNew: boolean
  isOpen: boolean
  /** all findings of the issue, and their tools */
  family: readonly Id[]
  tools: readonly string[]
  /** findings that people declared distinct from one of the family */
  distinctFrom: readonly Id[]
}

export type Joining = { issueId: Id; findingId: Id; by: Twin['by'] }

type Family = { head: Id; ids: Set<Id>; tools: Set<string>; distinctFrom: Set<Id>; isOpen: boolean; isNew: boolean }

/**
 * The issues to merge, each into the oldest issue that is the same weakness. Two findings are the same if each is the only candidate of its
 * tool for the other; for a component in several files, findings of the same file are paired first. An issue has at most one finding per
 * tool. Findings that people declared distinct are never merged, and neither are issues that people decided about differently.
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

/** The pairs of which neither side has another candidate of the same tool, and at least one side is fresh. */
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

/** Whether a finding is still a candidate: one that is already merged with another finding of the tool is not. */
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
