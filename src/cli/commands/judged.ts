// What the service answers about a judged deploy: the deploy, the verdict with its reasons, and the findings behind it.

type Decision = 'WARN' | 'BLOCK'

export type Finding = {
  id: string
  title: string
  severity: string
  type: string
  toolName: string | null
  toolRule: string
  file: string | null
  line: number | null
  platformUrl: string | null
  decision: Decision
  reasons: string[]
}

type Deploy = {
  id: string
  branchName: string | null
  previousCommit: string
  currentCommit: string
  lineage: string
  isCarried: boolean
  asset: { id: string; name: string }
}

export type Gate = {
  decision: 'PASS' | Decision
  isJudged: boolean
  sentence: string
  unknown: string[]
  policy: { scope: 'BUILT_IN' | 'COMPANY' | 'ASSET' }
  reasons: { rule: string; decision: Decision; limit: number; count: number; sentence: string }[]
}

/** `findings` are the first of `total`. */
export type Judged = { deploy: Deploy; gate: Gate; findings: Finding[]; total: number }
